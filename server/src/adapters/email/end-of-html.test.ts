import { expect, test } from 'vitest'
import { textOfHtml } from '#kernel/text-of-html.ts'
import { endOfHtml } from './end-of-html.ts'

const withText = (html: string) => {
  const { at, closing } = endOfHtml(html)
  return `${html.slice(0, at)}${closing}<p>shown</p>${html.slice(at)}`
}

test.for<[html: string, result: string]>([
  ['<html><body><p>a</p></body></html>', '<html><body><p>a</p><p>shown</p></body></html>'],
  ['<p>a</p>', '<p>a</p><p>shown</p>'],
  ['a < b', 'a < b<p>shown</p>'],
  ['<body>a</body><!-- </body> -->', '<body>a<p>shown</p></body><!-- </body> -->'],
  ['a<!-- b', 'a<!-- b--><p>shown</p>'],
  ['a<!-- b --><!-->', 'a<!-- b --><!--><p>shown</p>'],
  ['a<![CDATA[ b', 'a<![CDATA[ b]]><p>shown</p>'],
  ['a<p title="b', 'a<p title="b"><p>shown</p>'],
  ["a<p b'><!-- '>", "a<p b'><!-- '>--></p><p>shown</p>"],
  ['a<p ="><!-- ">', 'a<p ="><!-- ">--></p><p>shown</p>'],
  ['a<p b=c"><!-- ">', 'a<p b=c"><!-- ">--></p><p>shown</p>'],
  ['<p>a</p><style>p { color: red', '<p>a</p><style>p { color: red</style><p>shown</p>'],
  ['<style></p><!--</style>', '<style></p><!--</style><p>shown</p>'],
  ['<title>a', '<title>a</title><p>shown</p>'],
  ['<textarea><div>', '<textarea><div></textarea><p>shown</p>'],
  ['<div style="display:none">a', '<div style="display:none">a</div><p>shown</p>'],
  ['</div><div hidden>', '</div><div hidden></div><p>shown</p>'],
  ['<b hidden><p>a</b>', '<b hidden><p>a</b></p></b><p>shown</p>'],
  [
    '<div hidden><table><tr><td></div>',
    '<div hidden><table><tr><td></div></td></tr></table></div><p>shown</p>',
  ],
  ['<br><img src="a>b"><hr/>', '<br><img src="a>b"><hr/><p>shown</p>'],
])('a text after %j is not hidden', ([html, result]) => {
  expect(withText(html)).toBe(result)
  expect(textOfHtml(withText(html))).toContain('shown')
})
