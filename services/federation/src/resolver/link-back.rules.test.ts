/** Links with rel="me" in pages of other servers. */
import { expect, test } from 'vitest'
import { meLinks, namesProfile } from './link-back.rules.js'

const profile = 'https://here.example/@alice'
test.each([
  [`<a rel="me" href="${profile}">`, true],
  [`<link rel='nofollow ME' href='${profile}'>`, true],
  ['<a href="https://HERE.example/@Alice" rel="me noopener">x</a>', true],
  [`<a href="${profile}">no rel</a>`, false],
  [`<a rel="home" href="${profile}">`, false],
  [`<!-- <a rel="me" href="${profile}"> -->`, false],
  [`<script>"<a rel='me' href='${profile}'>"</script>`, false],
  [`<textarea><a rel="me" href="${profile}"></textarea>`, false],
  [`<p rel="me" href="${profile}">`, false],
  [`<a rel="me" href="${profile}/">`, false],
  ['<a rel="me">', false],
  ['', false],
])('%s links back: %s', (html, back) => {
  expect(namesProfile(meLinks(html), profile)).toBe(back)
})

test('a long and broken page is parsed once', () => {
  const started = process.threadCpuUsage()
  expect(meLinks('<a '.repeat(300_000))).toEqual([])
  expect(meLinks('<a rel=me href=x>'.repeat(50_000))).toHaveLength(200)
  expect(namesProfile(meLinks(`${' '.repeat(900_000)}<a rel="me" href="${profile}">`), profile)).toBe(true)
  expect(process.threadCpuUsage(started).user).toBeLessThan(2_000_000)
})
