/** Texts that a lenient reader takes for JSON. */
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

/** JSON but for its bytes: Latin 1, a long form of NUL, half a surrogate pair, a letter cut short, one beyond the last. */
export const notUtf8 = [
  ...['\xff', '\xe9', '\xc0\x80', '\xed\xa0\x80', '\xf0\x9f\x98', '\xf5\x80\x80\x80'].map((bytes) =>
    Buffer.from(`{"a":"${bytes}"}`, 'latin1'),
  ),
  Buffer.alloc(1000),
]
