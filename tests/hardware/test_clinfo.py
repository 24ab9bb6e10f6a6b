"""A device table from what clinfo prints, for people and with --raw."""

import tomllib

import pytest

from sycllint.errors import SycllintError
from sycllint.hardware.clinfo import tables

RAW_NAMES = {
    "Device Name": "CL_DEVICE_NAME",
    "Device Vendor": "CL_DEVICE_VENDOR",
    "Device Type": "CL_DEVICE_TYPE",
    "Device ID (Intel)": "CL_DEVICE_ID_INTEL",
    "Device Board Name (AMD)": "CL_DEVICE_BOARD_NAME_AMD",
    "Max compute units": "CL_DEVICE_MAX_COMPUTE_UNITS",
    "Max work group size": "CL_DEVICE_MAX_WORK_GROUP_SIZE",
    "Max work group size (AMD)": "CL_DEVICE_MAX_WORK_GROUP_SIZE_AMD",
    "Sub-group sizes (Intel)": "CL_DEVICE_SUB_GROUP_SIZES_INTEL",
    "Local memory size": "CL_DEVICE_LOCAL_MEM_SIZE",
}

ARC = {
    "Device Name": "Intel(R) Arc(TM) A770 Graphics",
    "Device Vendor": "Intel(R) Corporation",
    "Device Type": "GPU",
    "Max compute units": "512",
    "Max work group size": "1024",
    "Sub-group sizes (Intel)": "8, 16, 32",
    "Local memory size": "65536 (64KiB)",
}
METEOR_LAKE = ARC | {"Device Name": "Intel(R) Graphics", "Device ID (Intel)": str(0x7D55), "Max compute units": "128"}
RADEON = {
    "Device Name": "gfx1100",
    "Device Vendor": "Advanced Micro Devices, Inc.",
    "Device Type": "GPU",
    "Device Board Name (AMD)": "Radeon RX 7900 XTX",
    "Max compute units": "48",
    "Max work group size": "256",
    "Max work group size (AMD)": "1024",
    "Local memory size": "65536 (64KiB)",
}
GEFORCE = {
    "Device Name": "NVIDIA GeForce RTX 3080",
    "Device Vendor": "NVIDIA Corporation",
    "Device Type": "GPU",
    "Compute Capability (NV)": "8.6",
    "Max compute units": "68",
    "Max work group size": "1024",
    "Local memory size": "49152 (48KiB)",
}
PROCESSOR = {"Device Name": "A processor", "Device Vendor": "Intel(R) Corporation", "Device Type": "CPU"}


def human(*devices: dict[str, str]) -> str:
    lines = ["Number of platforms                               1"]
    for each in devices:
        lines += ["", *(f"  {key:<48}{value}" for key, value in each.items())]
    # The end of clinfo's output names the default device again.
    return "\n".join([*lines, "", "NULL platform behavior", f"    {'Device Name':<46}{devices[0]['Device Name']}", ""])


def raw(*devices: dict[str, str]) -> str:
    lines = ["[OCL/*]   CL_PLATFORM_NAME     A platform"]
    for number, each in enumerate(devices):
        for key, value in each.items():
            if key == "Compute Capability (NV)":
                parts = zip(("MAJOR", "MINOR"), value.split("."), strict=True)
                lines += [f"[OCL/{number}]   CL_DEVICE_COMPUTE_CAPABILITY_{part}_NV   {digit}" for part, digit in parts]
                continue
            plain = value.partition(" (")[0].replace(",", "") if key.startswith(("Sub-group", "Local")) else value
            plain = f"CL_DEVICE_TYPE_{value}" if key == "Device Type" else plain
            lines.append(f"[OCL/{number}]   {RAW_NAMES[key]:<50} {plain}")
    return "\n".join(lines)


EXPECTED = {
    "arc": (
        ARC,
        "intel-arc-a770-graphics",
        {"base": "dg2", "cores": 32, "max_work_group_size": 1024, "sub_group_sizes": [8, 16, 32]},
    ),
    "by pci id": (METEOR_LAKE, "intel-graphics", {"base": "mtl", "cores": 8}),
    "radeon": (RADEON, "this-gfx1100", {"base": "gfx1100", "compute_units": 96, "max_work_group_size": 1024}),
    "geforce": (GEFORCE, "nvidia-geforce-rtx-3080", {"base": "sm_86", "cores": 68}),
}


@pytest.mark.parametrize("case", EXPECTED)
@pytest.mark.parametrize("form", [human, raw])
def test_a_gpu_becomes_a_table(case: str, form: object) -> None:
    values, name, expected = EXPECTED[case]
    text = human(values) if form is human else raw(values)
    devices = tomllib.loads(tables(text, "clinfo.txt"))["devices"]
    assert list(devices) == [name]
    assert devices[name].items() >= expected.items()
    assert devices[name]["title"] == f"{values['Device Name']}, from clinfo.txt"


def test_local_memory_of_a_work_group_is_taken_where_opencl_reports_it_correctly() -> None:
    devices = tomllib.loads(tables(human(ARC, GEFORCE), "clinfo.txt"))["devices"]
    assert devices["intel-arc-a770-graphics"]["max_local_memory_per_group"] == {"kib": 64}
    assert "max_local_memory_per_group" not in devices["nvidia-geforce-rtx-3080"]


def test_a_pci_id_in_the_name_is_enough() -> None:
    unnamed = ARC | {"Device Name": "Intel(R) Graphics [0x56a1]"}
    [table] = tomllib.loads(tables(human(unnamed), "clinfo.txt"))["devices"].values()
    assert (table["base"], table["cores"]) == ("arc-a750", 32)


def test_processors_are_left_out_and_a_gpu_on_two_platforms_comes_once() -> None:
    assert list(tomllib.loads(tables(human(PROCESSOR, ARC, ARC), "clinfo.txt"))["devices"]) == [
        "intel-arc-a770-graphics"
    ]


def test_an_unknown_gpu_is_reported_beside_those_that_are_known() -> None:
    other = ARC | {"Device Name": "Intel(R) Something New"}
    text = tables(human(other, ARC), "clinfo.txt")
    assert "# Intel(R) Something New: nothing in clinfo.txt says which known device it is" in text
    with pytest.raises(SycllintError, match=r"Intel\(R\) Something New: nothing in clinfo.txt says"):
        tables(human(other), "clinfo.txt")


@pytest.mark.parametrize("text", ["", "no devices\n", human(PROCESSOR), "\0\x1b[31m  x  y\n"])
def test_text_without_a_gpu_is_refused(text: str) -> None:
    with pytest.raises(SycllintError, match=r"clinfo.txt: no GPU in it"):
        tables(text, "clinfo.txt")


def test_a_name_cannot_break_out_of_its_string() -> None:
    hostile = ARC | {"Device Name": 'Intel(R) Arc(TM) A770 "\\ ] [targets', "Device ID (Intel)": "0x56a0"}
    [table] = tomllib.loads(tables(human(hostile), 'a"b\\c')).get("devices", {}).values()
    assert table["title"] == "Intel(R) Arc(TM) A770 '/ ] [targets, from a'b/c"
