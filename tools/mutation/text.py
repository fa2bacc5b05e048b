# SPDX-License-Identifier: Apache-2.0
"""What is code in a Swift or C file: the text without comments, strings and conditions of the preprocessor, and the bodies of
its functions."""

import dataclasses, re

# In place of the characters of a string: neither space nor word.
HIDDEN = "\x00"
DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(if|elseif|else|endif|warning|error|sourceLocation)\b.*")
SWIFT_WORDS = re.compile(r"\b(func|init|deinit|subscript|var|let|case|struct|class|enum|extension|protocol|actor)\b")
SWIFT_TYPES = {"struct", "class", "enum", "extension", "protocol", "actor"}


@dataclasses.dataclass
class Function:
    """A function with its heading, and the positions of its braces."""

    heading: str
    start: int
    end: int


@dataclasses.dataclass
class Source:
    text: str
    # Of the same length as the text.
    code: str
    is_swift: bool
    # For each position, whether it is in the body of a function, of an accessor or of a closure.
    is_in_body: bytearray
    functions: list


def read(text, is_swift):
    code = hide_strings(text, is_swift)
    code = hide_directives(code) if is_swift else hide_preprocessor(code)
    return Source(text, code, is_swift, *bodies(code, is_swift))


def blank(text, filler=" "):
    return re.sub(r"[^\n]", filler, text)


# ---- comments and strings ----


def hide_strings(text, is_swift):
    pieces, position = [], 0
    opening = re.compile(r'//|/\*|#*"""|#*"' if is_swift else r"//|/\*|\"|'")
    while match := opening.search(text, position):
        start, sign = match.start(), match[0]
        pieces.append(text[position:start])
        if sign == "//":
            position = (text.find("\n", start) + 1 or len(text) + 1) - 1
            pieces.append(blank(text[start:position]))
        elif sign == "/*":
            position = end_of_comment(text, start, is_swift)
            pieces.append(blank(text[start:position]))
        else:
            position = end_of_string(text, start, sign, is_swift)
            pieces.append(sign + blank(text[start + len(sign) : position - len(sign)], HIDDEN) + sign[::-1])
    return "".join(pieces) + text[position:]


def end_of_comment(text, start, nests):
    depth, position = 1, start + 2
    while depth:
        match = re.compile(r"/\*|\*/").search(text, position)
        if not match:
            return len(text)
        depth += (1 if nests else 0) if match[0] == "/*" else -1
        position = match.end()
    return position


def end_of_string(text, start, sign, is_swift):
    """Behind the closing quotes. A value inside a string of Swift may have strings of its own."""
    hashes = sign.count("#")
    closing, escape = sign.strip("#") + "#" * hashes, "\\" + "#" * hashes
    position = start + len(sign)
    while position < len(text):
        if text.startswith(closing, position):
            return position + len(closing)
        if text.startswith(escape, position):
            position += len(escape)
            if is_swift and text.startswith("(", position):
                position = end_of_value(text, position)
            else:
                position += 1
        else:
            position += 1
    return len(text)


def end_of_value(text, position):
    """Behind the parenthesis that closes the one at the position."""
    depth = 0
    while position < len(text):
        if match := re.compile(r'#*"""|#*"').match(text, position):
            position = end_of_string(text, position, match[0], True)
            continue
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        position += 1
        if depth == 0:
            break
    return position


def hide_directives(code):
    return re.sub(DIRECTIVE.pattern, lambda match: blank(match[0]), code, flags=re.M)


def hide_preprocessor(code):
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda match: blank(match[0]), code, flags=re.M)


# ---- bodies ----


def without_parentheses(code):
    """The text with blanks for what stands in parentheses."""
    depth, kept = 0, []
    for character in code:
        depth -= character == ")"
        kept.append(character if depth <= 0 else blank(character))
        depth += character == "("
    return "".join(kept)


def kind_of_block(heading, is_swift, is_inside):
    """type, function, block or table: of the block in braces behind a heading."""
    if is_swift:
        words = SWIFT_WORDS.findall(without_parentheses(heading))
        if words and words[-1] in SWIFT_TYPES:
            return "type"
        return "function" if words and words[-1] == "func" else "block"
    if is_inside:
        return "block"
    if '"C"' in heading or re.search(r'extern\s+"', heading):
        return "type"
    return "function" if re.search(r"\)\s*$", heading) and "=" not in heading else "table"


def bodies(code, is_swift):
    is_in_body, functions = bytearray(len(code)), []
    # Of each open block: whether its text is code, its kind, its function.
    stack, boundary = [], 0
    for position, character in enumerate(code):
        inside = bool(stack) and stack[-1][0]
        is_in_body[position] = inside
        if character == "{":
            heading = code[boundary:position]
            kind = kind_of_block(heading, is_swift, inside)
            function = Function(heading, position, len(code)) if kind == "function" else None
            if function:
                functions.append(function)
            stack.append((inside and kind != "type" or kind in ("block", "function"), function))
            boundary = position + 1
        elif character == "}":
            if stack and (function := stack.pop()[1]):
                function.end = position
            is_in_body[position] = bool(stack) and stack[-1][0]
            boundary = position + 1
        elif character == ";":
            boundary = position + 1
    return is_in_body, functions
