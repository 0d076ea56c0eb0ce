/** HTML of the Markdown of staff. */
import { expect, test } from 'vitest'
import { createMarkdown } from './markdown.js'

const { html } = createMarkdown()

test('headings, lists and emphasis become HTML', () => {
  expect(html('# Rules\n\n- *be* kind')).toBe('<h1>Rules</h1>\n<ul>\n<li><em>be</em> kind</li>\n</ul>\n')
})

test('S-090 raw HTML is shown as text', () => {
  expect(html('<script>alert(1)</script>')).toBe('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n')
  expect(html('a <img src=x onerror=alert(1)> b')).not.toContain('<img')
})

test('S-090 pictures are left out', () => {
  expect(html('before ![words](https://spy.example/p.png) after')).toBe('<p>before  after</p>\n')
})

test('links have nofollow, noopener and a new window; dangerous ones are removed', () => {
  expect(html('[us](https://here.example/about)')).toBe(
    '<p><a href="https://here.example/about" rel="nofollow noopener" target="_blank">us</a></p>\n',
  )
  expect(html('[x](javascript:alert(1))')).not.toContain('<a')
})

test('deep nesting is rendered quickly', () => {
  const started = process.threadCpuUsage()
  html('['.repeat(20_000))
  html('> '.repeat(5_000))
  html('*a_'.repeat(20_000))
  expect(process.threadCpuUsage(started).user).toBeLessThan(1_500_000)
})
