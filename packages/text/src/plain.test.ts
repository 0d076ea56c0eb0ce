// Cases for HTML as plain text and for excerpts.
import { describe, expect, test } from 'vitest'
import { excerpt, htmlToPlainText } from './plain.js'

test.each([
  ['', ''],
  ['a &amp; b &lt;c&gt; &eacute; &#x1f600;', 'a & b <c> é 😀'],
  ['<p>a</p><p>b</p>', 'a\n\nb'],
  ['<p>a<br>b<br />c</p>', 'a\nb\nc'],
  ['<p>a</p>\n  <p>b</p>\n', 'a\n\nb'],
  ['a<br><br><br><br>b', 'a\n\nb'],
  ['<ul><li>a</li><li>b</li></ul>c', 'a\nb\n\nc'],
  ['<div>a</div><div>b</div>', 'a\nb'],
  ['a  b\n\tc', 'a b c'],
  ['a <b> b</b>', 'a b'],
  ['<pre>a\n  b</pre>', 'a\nb'],
  ['<h1>t</h1>x', 't\n\nx'],
  ['<b>a</b>b', 'ab'],
  ['a<script>b</script><style>c</style><!-- d --><iframe>e</iframe>f', 'af'],
  [
    '<a href="https://a.example/x"><span class="invisible">https://</span><span class="">a.example/x</span></a>',
    'https://a.example/x',
  ],
  ['<math><annotation encoding="application/x-tex">x^2</annotation></math>', '$x^2$'],
  ['a<img alt=":cat:" src="x">b<img src="y">', 'a :cat: b'],
  ['<p>a</p><img alt="b"><hr>c', 'a\n\nb\nc'],
  ['&lt;script&gt;', '<script>'],
  ['a\0b\ud800', 'ab\ufffd'],
])('%j is %j', (html, text) => expect(htmlToPlainText(html)).toBe(text))

test('a value that is not text gives an empty text, without throwing', () => {
  expect(htmlToPlainText(undefined as unknown as string)).toBe('')
})

describe('excerpt', () => {
  test.each([
    ['short', 140, 'short'],
    ['one two three', 13, 'one two three'],
    ['one two three', 8, 'one two…'],
    ['one two three', 9, 'one two…'],
    ['  a\n\n b  ', 140, 'a b'],
    ['x'.repeat(140), 140, 'x'.repeat(140)],
    ['x'.repeat(141), 140, `${'x'.repeat(139)}…`],
    ['😀'.repeat(140), 140, '😀'.repeat(140)],
    ['😀'.repeat(141), 140, `${'😀'.repeat(139)}…`],
    ['ab👩‍👩‍👧‍👦cdefgh', 5, 'ab…'],
    ['e\u0301e\u0301e\u0301', 4, 'e\u0301…'],
    [`a${'\u0301'.repeat(1000)}`, 4, 'a\u0301\u0301…'],
    ['', 140, ''],
  ])('of %j in %i', (text, length, expected) => expect(excerpt(text, length)).toBe(expected))
})
