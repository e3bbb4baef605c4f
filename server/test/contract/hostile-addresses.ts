/** Path segments that cannot be ids. */
export const malformedIds = [
  '',
  ...'c 1 null undefined __proto__ constructor - * ~ . .. ; %2e%2e %20 %00 %0a %2F ..%2F..%2F c%2Fnotes'.split(
    ' ',
  ),
  ...`' '%20or%201=1-- %25 %25s %F0%9F%98%80 %EF%BB%BF`.split(' '),
  'x'.repeat(300),
  'x'.repeat(10_000),
  'c'.repeat(24),
  `c${'a'.repeat(25)}`,
  `c${'A'.repeat(24)}`,
  `C${'a'.repeat(24)}`,
  `c${'a'.repeat(23)}%C3%A9`,
  `c${'a'.repeat(24)}%00`,
  `c${'a'.repeat(24)}%0A`,
]

/** Segments that make a URL invalid: the percent-encoded bytes are not UTF-8. */
export const invalidSegments = ['%', '%zz', '%ff', '%c0%af', '%ed%a0%80']
