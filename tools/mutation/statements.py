# SPDX-License-Identifier: Apache-2.0
"""The operators that remove a statement, or the check of an error."""

import re

# Their removal changes no result: a debug build checks what assert says, and capacity is only reserved.
WITHOUT_EFFECT = re.compile(r"\b(assert|precondition|reserveCapacity|_ = consume|\(void\)\w+;)")
SWIFT_WORDS = (
    "let|var|return|guard|if|else|for|while|repeat|switch|case|default|func|defer|do|catch|break|continue|throw|import|in|where"
    "|fallthrough|struct|class|enum|init|super|self\\.init|yield"
)
C_WORDS = (
    "return|if|else|for|while|do|switch|case|default|break|continue|goto|typedef|struct|union|enum|static|const|extern"
    "|va_start|va_end|snd_pcm_\\w+_alloca"
)
CALL = r"[\w.?!\[\]<>]+(?:\(.*\)[?!]?|\s?\{.*\})"
PREFIX = r"(?:_ = )?(?:try[?!]? |await |unsafe )*"
# An assignment, or calls.
SWIFT_STATEMENT = re.compile(
    rf"(?!(?:{SWIFT_WORDS})\b)(?:{PREFIX}[A-Za-z_(][\w.?!\[\]()$, ]*? (?:[-+*/%&|^]|&[-+*]|<<|>>|)= .*|{PREFIX}{CALL}(?:\.{CALL})*)",
    re.S,
)
# An assignment, a call, or the step of a counter.
C_STATEMENT = re.compile(
    rf"(?!(?:{C_WORDS})\b)(?:[*(]*[\w>.\-\[\]()]+ (?:[-+*/%&|^]|<<|>>|)= .*;|[\w>.\-]+\(.*\);"
    r"|[\w>.\-\[\]*()]+(?:\+\+|--);)",
    re.S,
)
# A line that the next one continues, and one that continues the line before it.
UNFINISHED = re.compile(r"(?:[-+*/%&|^<>=?:,(\[]|&&|\|\||->|\b(?:return|try|await|throws|where|else))$")
CONTINUATION = re.compile(r"(?:[.)\]}?:,]|[-+*/%&|^<>=!]{1,3} |else\b|catch\b|as\b|where\b)")
MOST_LINES = 8


def lines_of(source):
    """For each line of code in a body: the position of its first character, of its end, and its text."""
    start = 0
    for line in source.code.split("\n"):
        text = line.strip()
        first = start + len(line) - len(line.lstrip())
        if text and source.is_in_body[first]:
            yield first, start + len(line.rstrip()), text
        elif text:
            # Between bodies: nothing continues it.
            yield first, start + len(line.rstrip()), ""
        start += len(line) + 1


def balance(text):
    return sum(text.count(sign) for sign in "([{") - sum(text.count(sign) for sign in ")]}")


def whole_statements(source):
    """Statements that fill their lines: positions, text, and the lines before and behind."""
    lines = list(lines_of(source))
    for index, (start, _, text) in enumerate(lines):
        before = lines[index - 1][2] if index else ""
        if not text or not is_start(before, source.is_swift):
            continue
        statement = ""
        for count in range(MOST_LINES):
            if index + count >= len(lines) or not lines[index + count][2]:
                break
            statement += ("\n" if statement else "") + lines[index + count][2]
            after = lines[index + count + 1][2] if index + count + 1 < len(lines) else ""
            if balance(statement) < 0:
                break
            if balance(statement) == 0 and not is_continued(lines[index + count][2], after, source.is_swift):
                yield start, lines[index + count][1], statement, before, after
                break


def is_start(before, is_swift):
    if is_swift:
        return not UNFINISHED.search(before) or before.endswith(":")
    return not before or before[-1] in ";{}:)"


def is_continued(line, after, is_swift):
    if not is_swift:
        return line[-1] not in ";}"
    return bool(UNFINISHED.search(line)) or bool(CONTINUATION.match(after)) and not after.startswith("}")


def is_only_value(before, after):
    """The body of a getter or of a function with a result is this statement alone."""
    return before.endswith("{") and after.startswith("}") and bool(re.search(r"->|\b(var|get)\b", before))


def removed(source):
    is_statement = SWIFT_STATEMENT if source.is_swift else C_STATEMENT
    for start, end, statement, before, after in whole_statements(source):
        if WITHOUT_EFFECT.search(statement):
            continue
        if source.is_swift:
            nothing = "break" if re.match(r"(case\b|default:)", before) and before.endswith(":") else ""
        else:
            nothing = ";"
        if is_statement.fullmatch(statement):
            if not is_only_value(before, after) and is_assignment_of_names(statement):
                yield start, end, nothing
        elif re.fullmatch(r"defer \{.*\}", statement, re.S):
            yield start, end, ""
        elif not after.startswith("else") and is_exit(statement, source.is_swift) and not is_check(statement, source.is_swift):
            yield start, end, nothing
        else:
            yield from statement_in_line(source, start, statement)


def is_assignment_of_names(statement):
    """A comparison is no assignment, and a label is none."""
    return not re.match(r"[\w.]+ [=!<>]= ", statement)


def statement_in_line(source, start, statement):
    """The only statement of a block or of a condition in one line."""
    if source.is_swift:
        match = re.fullmatch(r"((?:if|for|while|else)\b.*\{ )([^{}]+)( \})", statement)
        if match and SWIFT_STATEMENT.fullmatch(match[2]) and is_assignment_of_names(match[2]):
            yield start + match.start(2), start + match.end(2), ""
    else:
        match = re.fullmatch(r"((?:else )?(?:if|for|while) \(.*\) )([\w*(][^;{}]*;)", statement)
        if match and balance(match[1]) == 0 and C_STATEMENT.fullmatch(match[2]):
            yield start + match.start(2), start + match.end(2), ";"


def is_exit(statement, is_swift):
    if "\n" in statement:
        return False
    if is_swift:
        return bool(re.fullmatch(r"if (?!.*\b(let|var|case)\b).*\{ (return|continue|break)\b[^{}]*\}", statement))
    return bool(re.fullmatch(r"if \(.*\) (return|continue|break|goto)\b[^;]*;", statement))


def is_check(statement, is_swift):
    """The removal of the statement ignores an error."""
    if is_swift:
        return bool(
            re.fullmatch(r"guard (?!.*\b(let|var|case)\b)[^{}]*\belse \{ (throw|return)\b[^{}]*\}", statement)
            or re.fullmatch(r"if (?!.*\b(let|var|case)\b)[^{}]*\{ throw\b[^{}]*\}", statement)
        )
    match = re.fullmatch(r"if \((.*)\) (?:return|goto)\b[^;]*;", statement)
    return bool(match and re.search(r"< 0|error|errno|== NULL|== -1|^!\w+$|!= 0", match[1]))


def swallowed(source):
    for start, end, statement, _, after in whole_statements(source):
        if not after.startswith("else") and is_check(statement, source.is_swift):
            yield start, end, ""
        elif source.is_swift and re.match(r"(_ = )?try (?![^\n]*\{$)", statement) and SWIFT_STATEMENT.fullmatch(statement):
            head = re.match(r"(_ = )?try ", statement)
            yield start, start + head.end(), "_ = try? "
    if source.is_swift:
        for match in re.finditer(r"\bcatch \{( [^{}\n]+ )\}", source.code):
            yield match.start(1), match.end(1), ""
