"""A literal without a suffix turns single-precision arithmetic of a kernel into double.

In C++ ``0.1`` is a double, so ``x * 0.1`` with a float ``x`` is computed in double and rounded back. On GPUs with
slow or no double precision that costs speed, or the kernel: it needs the aspect ``fp64``, and a device without it
refuses the whole kernel at submission.

Bad::

    void scale(sycl::queue &q, float *y, const float *x) {
      q.parallel_for(sycl::range<1>(1 << 20), [=](sycl::id<1> i) { y[i] = x[i] * 0.1; });
    }

Good::

    void scale(sycl::queue &q, float *y, const float *x) {
      q.parallel_for(sycl::range<1>(1 << 20), [=](sycl::id<1> i) { y[i] = x[i] * 0.1f; });
    }

The literals of one expression are one finding. A constant that is only rounded when the program is compiled
(``float x = 0.1;``) is a note; one that a float holds exactly (``float x = 0.0;``) is none.

Silent when compilers take the float: an operation or a comparison of floats with a literal that a float holds exactly
(``0.5``, ``1.0``), of which only the result as a float is used. ``y = 0.5 * x`` is one, ``y = 0.5 * x + z`` is computed
in double.

Silent, too, when the kernel uses double on purpose, that is, where the type stands in it or in what it reads; when the
type of the other side is not known, as in templates; for the operators of ``sycl::vec``, which convert the literal
instead; in host code.

Source: C++ standard, [lex.fcon] and [expr.arith.conv]; SYCL 2020, "Device aspects", ``aspect::fp64``, and section 5.7,
"Optional kernel features"; LLVM, InstCombine, which narrows ``fptrunc`` of an operation on extended operands.
"""

from collections.abc import Iterator, Sequence

from sycllint.device_code.checks.literals import DoubleLiteral
from sycllint.diagnostic import Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.source.edit import Applicability, Edit, Fix
from sycllint.target import Target
from sycllint_rules.wording import listed


@rule("SYC607", Severity.WARNING, on=KernelLaunch, seen=DoubleLiteral)
def fp64_literal_promotes(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """One finding for the literals of each expression."""
    expressions: dict[object, list[DoubleLiteral]] = {}
    for each in launch.kernel.seen.of(DoubleLiteral):
        key = (each.within, bool(each.operation), each.sure, each.suffix is None)
        expressions.setdefault(key, []).append(each)
    for literals in expressions.values():
        first, *others = sorted(literals, key=lambda each: each.location)
        texts = dict.fromkeys(each.text for each in (first, *others))
        yield Finding(
            location=first.location,
            subject=listed(f"`{each}`" for each in texts),
            verdict=f"{'is a' if len(texts) == 1 else 'are each a'} `double`{_consequence((first, *others))}",
            severity=None if first.operation else Severity.NOTE,
            device_specific=False,
            related=tuple(Related(f"`{each.text}` is a `double`, too", each.location) for each in others),
            fix=_fix((first, *others)),
        )


def _consequence(literals: Sequence[DoubleLiteral]) -> str:
    operations = dict.fromkeys(f"the {each.operation}" for each in literals if each.operation)
    if not operations:
        return ", rounded to `float` at compile time"
    verb = "is" if len(operations) == 1 else "are"
    return f": {listed(operations)} {verb} in double precision, and the kernel requires `aspect::fp64`"


def _fix(literals: Sequence[DoubleLiteral]) -> Fix | None:
    edits = tuple(Edit(each.suffix, "f") for each in literals if each.suffix is not None)
    if not edits:
        return None
    applicability = Applicability.SAFE if literals[0].sure else Applicability.UNSAFE
    return Fix(f"write {listed(dict.fromkeys(f'{each.text}f' for each in literals))}", edits, applicability)
