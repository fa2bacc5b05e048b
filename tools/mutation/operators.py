# SPDX-License-Identifier: Apache-2.0
"""The operators that make mutations of the code of a file. Each is a function of a Source that yields edits: the first position,
the position behind the last, and the replacement. OPERATORS has them by name."""

import re

from . import statements
from .text import without_parentheses

# In the form of `a OPERATOR b`: spaces tell a comparison from the brackets of generic types, and a product from a pointer.
RELATIONS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",)}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "|": "&", "&": "|"}
ARITHMETIC |= {f"&{sign}": f"&{ARITHMETIC[sign]}" for sign in ("+", "-", "<<", ">>")}
ARITHMETIC |= {f"{sign}=": f"{ARITHMETIC[sign]}=" for sign in list(ARITHMETIC)}
ARITHMETIC |= {"&*": "&+", "&*=": "&+="}
LOGIC = {"&&": "||", "||": "&&"}
LEAST_AND_MOST = {"min": "max", "max": "min", "fmin": "fmax", "fmax": "fmin", "MIN": "MAX", "MAX": "MIN"}
NO_CALLS = ("if", "while", "for", "switch", "return", "sizeof", "catch", "throws", "in")
NUMBER = re.compile(r"(?<![\w.$\])])(0[xX][\da-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d+)?)([uUlLf]*)\b")
BINARY = re.compile(r"(?<=\s)([-+*/%&|<>=!]{1,4})(?=\s)")


def binary(source, table):
    for match in BINARY.finditer(source.code):
        replacements = table.get(match[1], ())
        for replacement in (replacements,) if isinstance(replacements, str) else replacements:
            yield match.start(), match.end(), replacement


def relations(source):
    return binary(source, RELATIONS)


def arithmetic(source):
    return binary(source, ARITHMETIC)


def logic(source):
    return binary(source, LOGIC)


def off_by_one(source):
    code = source.code
    for match in re.finditer(r" [-+] 1\b(?![.\w])", code):
        yield match.start(), match.end(), ""
    for match in re.finditer(r"(?<=\w)\[([a-z]\w*)\]", code):
        yield match.start(1), match.end(1), f"{match[1]} + 1"
    if source.is_swift:
        for match in re.finditer(r"\.\.<|(?<=[\w)\]])\.\.\.(?=[\w(-])", code):
            yield match.start(), match.end(), "..." if match[0] == "..<" else "..<"


def conditions(source):
    """Each clause of if, guard and while is negated, but for those that bind a name."""
    for match in re.finditer(r"(?<=[\s(\[,{!])!(?=[\w(.])", source.code):
        yield match.start(), match.end(), ""
    for start, end in clauses(source):
        clause = source.code[start:end]
        is_negated = clause.startswith("!") and not re.search(r"&&|\|\|", clause)
        if not is_negated and clause not in ("true", "false", "1", "0"):
            yield start, end, f"!({source.text[start:end]})"


def clauses(source):
    """The first position and the position behind the last of each clause of a condition that is a value."""
    code = source.code
    if not source.is_swift:
        for match in re.finditer(r"\b(?:if|while) \(", code):
            yield match.end(), closing(code, match.end() - 1)
        return
    for match in re.finditer(r"(?<![.\w])(if|guard|while)\s+(?=\S)", code):
        depth, start = 0, match.end()
        for position in range(start, len(code)):
            character = code[position]
            is_end = code.startswith("{", position) if match[1] != "guard" else re.match(r"else\b", code[position : position + 5])
            if depth == 0 and (character == "," or is_end):
                if clause := trimmed(code, start, position):
                    yield clause
                start = position + 1
                if is_end:
                    break
            depth += (character in "([{") - (character in ")]}")
            if depth < 0:
                break


def trimmed(code, start, end):
    while start < end and code[start].isspace():
        start += 1
    while start < end and code[end - 1].isspace():
        end -= 1
    is_value = start < end and not re.match(r"(let|var|case)\b|#|_ =", code[start:end])
    return (start, end) if is_value else None


def closing(code, position):
    """The position of the bracket that closes the one at the position."""
    depth = 0
    for index in range(position, len(code)):
        depth += (code[index] in "([{") - (code[index] in ")]}")
        if depth == 0:
            return index
    return len(code)


def arguments(source):
    """Two neighbours of a call in one line change their places. Labels stay."""
    code = source.code
    for match in re.finditer(r"(?<![\w@])([A-Za-z_][\w.]*)\((?=[^)\n]*,)", code):
        # The arguments of the least and the most may stand in any order.
        if match[1] in LEAST_AND_MOST or match[1] in NO_CALLS:
            continue
        values = list(values_of_call(code, match.end() - 1))
        for (start, end), (other, last) in zip(values, values[1:]):
            first, second = code[start:end], code[other:last]
            if "\n" not in code[start:last] and first != second and may_exchange(first, second):
                yield start, last, source.text[other:last] + source.text[end:other] + source.text[start:end]


def values_of_call(code, position):
    end, start, depth = closing(code, position), position + 1, 0
    for index in range(start, end + 1):
        if index == end or (code[index] == "," and depth == 0):
            match = re.compile(r"\s*(?:\w+:\s+)?").match(code, start, index)
            yield match.end(), index
            start = index + 1
        else:
            depth += (code[index] in "([{") - (code[index] in ")]}")


def may_exchange(first, second):
    """A rough test of types: others do not compile."""
    def kind(value):
        if re.fullmatch(r"-?\d[\d._xXa-fA-F]*[uUlLf]*", value):
            return "number"
        if re.match(r"\.\w", value):
            return "member"
        is_simple = re.fullmatch(r"[\w.$&+\-*/%<>! ()\[\]]+", value) and value not in ("nil", "NULL", "true", "false")
        return "other" if is_simple else None

    kinds = {kind(first), kind(second)}
    return None not in kinds and (len(kinds) == 1 or kinds == {"number", "other"})


def returned_values(result, is_swift):
    """What a function with this result may return at once."""
    if result in ("", "Void", "()", "void"):
        return ("return;",)
    if result in ("Bool", "bool", "_Bool"):
        return "return false;", "return true;"
    if not is_swift:
        return ("return 0;",)
    if result.endswith("?"):
        return ("return nil;",)
    if re.fullmatch(r"U?Int(8|16|32|64)?|Float|Double|OSStatus|CInt|size_t", result):
        return ("return 0;",)
    if result.startswith("["):
        return ("return [:];",) if ":" in without_parentheses(result) else ("return [];",)
    return ('return "";',) if result == "String" else ()


def early_return(source):
    for function in source.functions:
        heading = function.heading
        if source.is_swift:
            result = re.search(r"->\s*([^{]*?)\s*(?:\bwhere\b[^{]*)?$", without_parentheses(heading[last_word(heading, "func"):]))
            result = result[1] if result else ""
        else:
            match = re.search(r"([^;}]*?)(\w+)\s*\([^{]*$", heading)
            # Specifiers and macros precede the type.
            result = (re.findall(r"\w+|\*", match[1]) or [""])[-1] if match else "none"
        is_line = "\n" not in source.code[function.start : function.end]
        blanks = " " * leading(source.code, function.start)
        for value in returned_values(result, source.is_swift):
            body = source.text[function.start + 1 : function.end].strip()
            if body and body.rstrip(";") != value.rstrip(";"):
                text = f" {value}" if is_line else f"\n{blanks}    {value}"
                yield function.start + 1, function.start + 1, text


def last_word(text, word):
    return max((match.start() for match in re.finditer(rf"\b{word}\b", text)), default=0)


def leading(code, position):
    line = code[code.rfind("\n", 0, position) + 1 : position]
    return len(line) - len(line.lstrip())


def constants(source):
    for match in NUMBER.finditer(source.code):
        digits = match[1].replace("_", "")
        if digits[:2] in ("0x", "0X"):
            value = hex(int(digits, 16) + 1)
        elif re.search(r"[.eE]", digits):
            value = "1.0" if float(digits) == 0 else repr(float(digits) * 2)
        else:
            value = {"0": "1", "1": "0"}.get(digits, str(int(digits) + 1))
        yield match.start(), match.end(), value + match[2]
    for match in re.finditer(r"(?<![\w.])(true|false)\b", source.code):
        yield match.start(), match.end(), "false" if match[1] == "true" else "true"


def least_and_most(source):
    for match in re.finditer(r"(?<!\w)(f?min|f?max|MIN|MAX)\b(?=\(|(?<=\.min)|(?<=\.max))", source.code):
        yield match.start(), match.end(), LEAST_AND_MOST[match[1]]


OPERATORS = {
    "relational": relations,
    "arithmetic": arithmetic,
    "off-by-one": off_by_one,
    "condition": conditions,
    "removal": statements.removed,
    "arguments": arguments,
    "early-return": early_return,
    "constant": constants,
    "min-max": least_and_most,
    "logic": logic,
    "error-swallowed": statements.swallowed,
}
