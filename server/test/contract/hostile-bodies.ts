/** Texts that a lenient parser accepts as JSON. */
export const notJson = [
  ...`{'a':1} {a:1} {"a":1,} {"a":NaN} {"a":Infinity} {"a":01} {"a":+1} {"a":.5} {"a":"\\x41"} {"a":"\\ud8"}`.split(
    ' ',
  ),
  ...'undefined NaN <a/> a=1 --- {{}} [}'.split(' '),
  '{"a":"\n"}',
  ' ',
  '\n',
  '\ufeff',
  '\ufeff\ufeff{}',
]

/**
 * JSON with invalid bytes: Latin-1, an overlong NUL, a lone surrogate, a truncated character, and a code point beyond
 * the last.
 */
export const notUtf8 = [
  ...['\xff', '\xe9', '\xc0\x80', '\xed\xa0\x80', '\xf0\x9f\x98', '\xf5\x80\x80\x80'].map((bytes) =>
    Buffer.from(`{"a":"${bytes}"}`, 'latin1'),
  ),
  Buffer.alloc(1000),
]
