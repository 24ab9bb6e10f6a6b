"""Names of kernels in binaries and what they are called in the source."""

import shutil
import subprocess

import pytest

from sycllint.compiled.demangle import demangled
from sycllint.compiled.mangled import KernelName, kernel_name


def read(mangled: str) -> KernelName:
    found = kernel_name(mangled)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("mangled", "name"),
    [
        ("_ZTS3Foo", "Foo"),
        ("_ZTSZ4mainE3Foo", "main::Foo"),
        ("_ZTSN2ns3FooIfLi16EEE", "ns::Foo<float, 16>"),
        ("_ZTSN2ns3FooIfLi16EEE_with_offset", "ns::Foo<float, 16>"),
        ("_ZTSN12_GLOBAL__N_13FooE", "(anonymous)::Foo"),
        ("_ZTSZ3runIfEvRN4sycl3_V15queueEPT_mE1K", "run<float>::K"),
        ("_ZTSN2ns3FooIN5other3BarENS1_3BazEEE", "ns::Foo<other::Bar, other::Baz>"),
        ("_ZTSN2ns3FooINS_3BarEPKfEE", "ns::Foo<ns::Bar, float const*>"),
        ("_ZTS10PolynomialIJLi1ELin2EEE", "Polynomial<1, -2>"),
        ("_ZTS4FlagILb1ELb0EE", "Flag<true, false>"),
        ("_ZTS3ForIXadL_Z3addIfEvvEEE", "For<&add<float>>"),
        ("_Z18BoundaryConditionsPfS_S_S_PKfS1_S1_", "BoundaryConditions"),
        ("_Z18__sycl_kernel_iotaPi", "iota"),
        ("_ZN2ns18__sycl_kernel_iotaEPi", "ns::iota"),
        ("tile_sum", "tile_sum"),
    ],
)
def test_a_kernel_has_its_whole_name(mangled: str, name: str) -> None:
    assert read(mangled).text == name


@pytest.mark.parametrize(
    ("mangled", "function", "dims"),
    [
        ("_ZTSZZ4mainENKUlRN4sycl3_V17handlerEE_clES2_EUlNS0_7nd_itemILi1EEEE_", "main", 0),
        ("_ZTSZZN1A3runERN4sycl3_V15queueEENKUlRNS1_7handlerEE_clES5_EUlNS1_4itemILi1ELb1EEEE0_", "run", 1),
        ("_ZTSZ4mainEUlT_E_", "main", 0),
        ("_ZTSZ5scaleRN4sycl3_V15queueEPfEUlNS0_2idILi1EEEE_", "scale", 0),
    ],
)
def test_a_lambda_is_known_by_the_function_around_it_and_its_number(mangled: str, function: str, dims: int) -> None:
    found = read(mangled)
    assert found.is_lambda
    assert found.function is not None
    assert (found.function.name, found.last.number) == (function, dims)


def test_the_scopes_of_a_lambda_are_those_of_its_function() -> None:
    found = read("_ZTSZZN1A3runERN4sycl3_V15queueEENKUlRNS1_7handlerEE_clES5_EUlNS1_4itemILi1ELb1EEEE0_")
    assert [each.name for each in found.parts] == ["A", "run", "(lambda)", "operator()", "(lambda)"]
    assert found.last.signature == "sycl::_V1::item<1, true>"


@pytest.mark.parametrize(
    ("mangled", "name"),
    [
        ("_ZTSN4sycl3_V16detail19__pf_kernel_wrapperI3FooEE", "Foo"),
        ("_ZTSN4sycl3_V16detail9reduction7MainKrnIN2ns3SumILi4EEELNS2_8strategyE1EJEEE", "ns::Sum<4>"),
        (
            "_ZTSN4sycl3_V16detail18RoundedRangeKernelINS0_4itemILi1ELb1EEELi1EZZ4mainENKUlRNS0_7handlerEE_clES6_EUlS4_E_EE",
            "main::(lambda)::operator()::(lambda)",
        ),
    ],
)
def test_what_the_headers_of_dpcpp_wrap_around_a_kernel_is_taken_off(mangled: str, name: str) -> None:
    assert (read(mangled).text, read(mangled).is_own) == (name, False)


@pytest.mark.parametrize(
    "mangled",
    [
        "_ZTSN4sycl3_V16detail16AssertInfoCopierE",
        "_ZTSN2cl4sycl6detail23__sycl_service_kernel__16AssertInfoCopierE",
        "_ZTSN4sycl3_V16detail18RoundedRangeKernelINS0_4itemILi1ELb1EEELi1EZNS0_7handler4fillIhEEvPvRKT_mEUlNS0_2idILi1EEEE_EE",
    ],
)
def test_kernels_of_the_runtime_are_its_own(mangled: str) -> None:
    assert read(mangled).is_own


def test_the_version_for_launches_with_an_offset_is_a_twin() -> None:
    assert read("_ZTS3Foo_with_offset").is_twin
    assert not read("_ZTS3Foo").is_twin
    assert read("with_offset").text == "with_offset"


@pytest.mark.parametrize(
    "mangled", ["_ZTS", "_ZTS30short", "_ZTSN3Foo", "_ZTS3FooIXzzEE", "_ZTS3FooIXsrT_E5valueEE", "a kernel", "_ZTSS9_"]
)
def test_a_name_that_cannot_be_read_is_none(mangled: str) -> None:
    assert kernel_name(mangled) is None


REAL = [
    "N2at6native3xpu14ScanDimFunctorILi16EN3c108BFloat16EDF16bEE",
    "N2ns13ReduceFunctorIiLj8ELNS_4ModeE2EPFvPfmEEE",
    "N2ns1AIA4_KfM1BFivEDnEE",
    "NSt6vectorIiSaIiEE8iteratorE",
    "N2ns1AIXplLi1ELi2EEXgtLi3ELi4EEEE",
    "N2ns1AIPU3AS1fS2_EE",
    "N2ns3fooB5cxx11E",
    "N2ns1AIXstiEXcvbLi1EEEE",
    "N2ns1AIDv4_fDF16_DB8_EE",
]


@pytest.mark.parametrize("mangled", REAL)
def test_constructs_of_real_names_are_read_to_their_end(mangled: str) -> None:
    assert demangled(mangled, of_type=True) is not None


@pytest.mark.skipif(shutil.which("llvm-cxxfilt") is None, reason="llvm-cxxfilt is not installed")
@pytest.mark.parametrize(
    "mangled",
    [
        "N2ns3FooIN5other3BarENS1_3BazEPKfS5_S1_IS2_EEE",
        "N2ns1AINS_1BINS_1CEEES3_S2_St6vectorIS3_SaIS3_EEEE",
        "N2ns1AIJfdNS_1BIJNS_1CES2_EEEEEE",
        "N2ns1AIRKSsOSt4pairIilEEE",
    ],
)
def test_substitutions_are_those_of_llvm(mangled: str) -> None:
    done = subprocess.run(["llvm-cxxfilt", "-t", mangled], capture_output=True, text=True, check=True)
    found = demangled(mangled, of_type=True)
    assert found is not None
    assert found.text.replace(" ", "") == done.stdout.strip().replace(" ", "")


def test_parameters_of_templates_are_what_the_function_was_given() -> None:
    local = demangled("ZN2ns3runIN2ns1AEEEvPT_E1KIS3_E", of_type=True)
    assert local is not None
    assert local.text.startswith("ns::run<ns::A>::K<")
    inner = demangled("ZN2ns3runIfEEvPT_E1KIfE", of_type=False)
    assert inner is not None
    assert inner.text == "ns::run<float>::K<float>"
