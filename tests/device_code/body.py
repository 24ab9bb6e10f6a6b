"""The one kernel of a piece of C++, for tests that look into its body."""

from sycllint.cpp.expression import Lambda
from sycllint.cpp.place import Place
from sycllint.device_code.code import Geometry, KernelCode
from sycllint.device_code.scanning.scan import Scan
from sycllint.facts.collect import file_facts
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator
from sycllint.values.value import Known


def kernel(body: str, before: str = "", *, local: int = 64, dims: int = 1) -> KernelCode:
    """A launch of 4096 work-items in groups of ``local`` whose kernel ``[=](sycl::nd_item<dims> it)`` has this body.

    Around it are ``float *y``, ``const double *d``, ``int n`` and what ``before`` declares.
    """
    text = (
        f"{before} void run(sycl::queue &q, float *y, const double *d, int n) {{"
        f" q.parallel_for(sycl::nd_range<{dims}>(4096, {local}), [=](sycl::nd_item<{dims}> it) {{ {body} }}); }}"
    )
    facts = file_facts("kernel.cpp", text.encode(), {})
    (submission,) = facts.submissions
    function = submission.call.arguments[-1]
    assert isinstance(function, Lambda)
    geometry = Geometry(dims, (Known(4096),) * dims, (Known(local),) * dims, None)
    return KernelCode(Evaluator(Unit((facts,)), {}), function, Place(function, submission.place), geometry, Scan())
