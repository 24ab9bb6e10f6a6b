"""Names of kernels in binaries and what they are called in the source."""

import pytest

from sycllint.compiled.mangled import KernelName, kernel_name


@pytest.mark.parametrize(
    ("mangled", "name"),
    [
        ("_ZTS3Foo", "Foo"),
        ("_ZTSZ4mainE3Foo", "Foo"),
        ("_ZTSN2ns3FooIfLi16EEE", "Foo"),
        ("_ZTSN12_GLOBAL__N_13FooE", "Foo"),
        ("_ZTSZ3runIfEvRN4sycl3_V15queueEPT_mE1K", "K"),
        ("_ZTS10PolynomialIJLi1ELi2EEE", "Polynomial"),
        ("_Z18BoundaryConditionsPfS_S_S_PKfS1_S1_", "BoundaryConditions"),
        ("_Z18__sycl_kernel_iotaPi", "iota"),
        ("tile_sum", "tile_sum"),
    ],
)
def test_a_kernel_is_called_by_the_last_part_of_its_name(mangled: str, name: str) -> None:
    assert kernel_name(mangled) == KernelName(name)


@pytest.mark.parametrize(
    ("mangled", "function"),
    [
        ("_ZTSZZ4mainENKUlRN4sycl3_V17handlerEE_clES2_EUlNS0_7nd_itemILi1EEEE_", "main"),
        ("_ZTSZZN1A3runERN4sycl3_V15queueEENKUlRNS1_7handlerEE_clES5_EUlNS1_4itemILi1ELb1EEEE0_", "run"),
        ("_ZTSZ4mainEUlT_E_", "main"),
        ("_ZTSZ5scaleRN4sycl3_V15queueEPfEUlNS0_2idILi1EEEE_", "scale"),
    ],
)
def test_a_lambda_is_known_by_the_function_around_it(mangled: str, function: str) -> None:
    assert kernel_name(mangled) == KernelName(None, function)


@pytest.mark.parametrize(
    ("mangled", "name"),
    [
        ("_ZTSN4sycl3_V16detail19__pf_kernel_wrapperI3FooEE", KernelName("Foo")),
        (
            "_ZTSN4sycl3_V16detail18RoundedRangeKernelINS0_4itemILi1ELb1EEELi1EZZ4mainENKUlRNS0_7handlerEE_clES6_EUlS4_E_EE",
            KernelName(None, "main"),
        ),
    ],
)
def test_what_the_headers_of_dpcpp_wrap_around_a_kernel_is_taken_off(mangled: str, name: KernelName) -> None:
    assert kernel_name(mangled) == name


@pytest.mark.parametrize("mangled", ["_ZTS", "_ZTS30short", "_ZTSN3Foo", "_ZTS3FooIXsrT_E5valueEE", "a kernel"])
def test_a_name_that_cannot_be_read_is_none(mangled: str) -> None:
    assert kernel_name(mangled) is None
