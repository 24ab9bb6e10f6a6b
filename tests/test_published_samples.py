"""Every code sample of the documents that sycllint was built from, and the fixture that has its structure.

The documents are those of ``test_published_tables``; what is to be reported of each sample stands in its fixture. The
article of AMD GPUOpen has no program: its tiles are in ``SYC407``.
"""

from pathlib import Path

import pytest

FIXTURES = Path(__file__).parent.parent / "fixtures"

MAPPING = "Mapping Work-groups"
BARRIER = "Impact of Work-item Synchronization Within Work-group"
LOCAL = "Impact of Local Memory Within Work-group"
EXAMPLE = "A Detailed Example"
SUB_GROUPS = "Sub-groups and SIMD Vectorization"
SIZES = "Considerations for Selecting Work-group Size"

# Section, sample, file, and the function that has its structure.
SAMPLES = [
    (MAPPING, "range of 64 x 64 x 64", "guide/range_kernels.cpp", "cube"),
    (MAPPING, "range of 64 x 64 x 128 (notebook)", "guide/range_kernels.cpp", "longer_in_the_last_dimension"),
    (BARRIER, "1 x R x 128, R = 1", "guide/work_item_synchronization.cpp", "rows_of_one"),
    (BARRIER, "1 x R x 128, R = 2", "guide/work_item_synchronization.cpp", "rows_of_two"),
    (BARRIER, "1 x R x 128, R = 3", "guide/work_item_synchronization.cpp", "rows_of_three"),
    (BARRIER, "1 x R x 128, R = 4", "guide/work_item_synchronization.cpp", "rows_of_four"),
    (BARRIER, "1 x R x 128, R > 4", "guide/work_item_synchronization.cpp", "rows_of_five"),
    (
        BARRIER,
        "item.barrier (guide, edition of 2021)",
        "guide/older_barrier.cpp",
        "rows_of_four_with_the_older_barrier",
    ),
    (LOCAL, "accessor to local memory", "guide/local_memory.cpp", "one_element_per_row"),
    (LOCAL, "local_accessor (notebook)", "guide/local_memory.cpp", "one_element_per_row_of_the_notebook"),
    (EXAMPLE, "VectorAdd1", "guide/vector_add.cpp", "add_of_a_range"),
    (EXAMPLE, "VectorAdd2", "guide/vector_add.cpp", "add_in_groups"),
    (EXAMPLE, "VectorAdd3", "guide/vector_add.cpp", "add_in_any"),
    (EXAMPLE, "VectorAdd4", "guide/vector_add.cpp", "add_after_a_barrier"),
    (EXAMPLE, "the calls of VectorAdd3 and VectorAdd4", "guide/vector_add.cpp", "vector_adds_measured"),
    ("GPU Occupancy Calculation Example", "VectorAdd (notebook)", "guide/vec_add_gen9.cpp", "vec_add_in_24"),
    (SUB_GROUPS, "stream", "guide/sub_groups.cpp", "width_left_to_the_compiler_in_a_stream"),
    (SUB_GROUPS, "stream, required width of 32", "guide/sub_groups.cpp", "width_of_32_in_a_stream"),
    (SUB_GROUPS, "query of the widths", "guide/sub_groups.cpp", "widths_of_the_device"),
    (SUB_GROUPS, "stores by chunks", "guide/memory_access.cpp", "fill_by_chunks"),
    (SUB_GROUPS, "stores by sub-groups, recommended", "guide/memory_access.cpp", "fill_by_sub_groups"),
    (SUB_GROUPS, "copy by chunks", "guide/memory_access.cpp", "copy_by_chunks"),
    (SUB_GROUPS, "copy by sub-groups, recommended", "guide/memory_access.cpp", "copy_by_sub_groups"),
    (SUB_GROUPS, "copy by vec<int, 4>, recommended", "guide/memory_access.cpp", "copy_by_vectors"),
    (SUB_GROUPS, "transposition by shuffle", "guide/transposition.cpp", "transpose"),
    (SUB_GROUPS, "7 work-items in a width of 16", "guide/sub_groups.cpp", "seven_items_in_a_stream"),
    ("Registers and Performance", "float4 v[8]", "SYC604/vectors.cpp", "only_components"),
    ("Registers and Performance", "four arrays, recommended", "SYC604/vectors.cpp", "one_array_for_each_component"),
    (SIZES, "reduction", "guide/work_group_sizes.cpp", "summed_in_groups"),
    (SIZES, "the calls of reduction", "guide/work_group_sizes.cpp", "sum_in_small_and_large_groups"),
    (SIZES, "vec_copy", "guide/work_group_sizes.cpp", "copied_in_groups"),
    (SIZES, "the calls of vec_copy", "guide/work_group_sizes.cpp", "copy_in_groups_of_all_sizes"),
    (SIZES, "OpenMP region", "guide/openmp_reduction.cpp", "weighted_sum"),
]


@pytest.mark.parametrize(("section", "sample", "file", "function"), SAMPLES, ids=lambda each: str(each)[:40])
def test_a_sample_has_a_fixture_that_names_its_section(section: str, sample: str, file: str, function: str) -> None:
    text = (FIXTURES / file).read_text(encoding="utf-8")
    said = " ".join(line.partition("// ")[2] for line in text.splitlines() if line.lstrip().startswith("//"))
    assert f" {function}(" in text, sample
    assert section.lower() in said.lower()
