"""Every name of the core is defined once in its namespace.

A name that two headers define is one program's two meanings, which a linker joins without a word.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from tests.house import cpp


def test_definitions_are_found_with_their_namespaces() -> None:
    text = """
    // struct Comment {};
    #define MACRO {
    namespace demotic::search {
    class Forward;
    template <class T> class Queue : public Base<T> { struct Inner { int x; }; };
    struct Span { int begin = 0, end{}; };
    enum class Kind : uint8_t { kPhrase, kHiero };
    using Words = std::span<const WordId>;
    using base::Stop;
    inline constexpr int32_t kOrder = 4;
    constexpr double kPowers[] = {1, 2};  // a comment's apostrophe
    constexpr double kNoScore = -std::numeric_limits<double>::infinity();
    inline constexpr char kQuote = '"', kComma = ',';
    constexpr Kind kDefault{};
    inline int twice(const Span& span) { const int two = 2; return two * span.end; }
    struct Maker make(const char* text = "{");
    namespace { struct Local {}; constexpr int kLocal = 1; }
    namespace inner { struct Span {}; }
    }  // namespace demotic::search
    """
    assert [name.removeprefix("demotic::search::") for name in cpp.definitions(text)] == [
        "Queue",
        "Span",
        "Kind",
        "Words",
        "kOrder",
        "kPowers",
        "kNoScore",
        "kQuote",
        "kDefault",
        "(anonymous)::Local",
        "(anonymous)::kLocal",
        "inner::Span",
    ]


def defined(paths: list[Path]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        for name in cpp.definitions(path.read_text("utf-8")):
            found[name].append(str(path.relative_to(cpp.ROOT)))
    return found


def test_no_name_is_defined_twice_in_one_namespace() -> None:
    """Not by two headers, not by two sources unless each keeps it to itself."""
    every = defined(cpp.files(".h", ".cpp"))
    assert len(every) > 300  # the reader finds them
    twice = {
        name: places
        for name, places in every.items()
        if len(places) > 1 and cpp.ANONYMOUS not in name
    }
    assert twice == {}


@pytest.mark.parametrize("path", cpp.files(".h"), ids=lambda path: path.name)
def test_headers_define_everything_in_the_namespace_of_their_folder(path: Path) -> None:
    home = f"demotic::{cpp.folder(path)}::"
    strays = [name for name in defined([path]) if not name.startswith(home)]
    assert strays == [] or path == cpp.INCLUDE / "namespaces.h"
    assert not any(cpp.ANONYMOUS in name for name in defined([path]))
