/** Untrusted text and URLs in pages: escaped, sanitised, and never redirected to other sites. */
import { expect, test } from 'vitest'
import { dotted, html } from './core/html.js'
import { ownPath } from './core/redirect.js'
import { fieldText, plainText, richText } from './core/rich-text.js'
import { isAuthorization, readRequest } from './sign-in/authorization-request.js'

const emoji = {
  shortcode: 'bird',
  url: 'https://m.example/x.gif',
  static_url: 'https://m.example/x.png',
  visible_in_picker: true,
  featured: false,
}
const EVIL = '"><img src=x onerror=1>'

test('A150 D067 values inserted into a template are escaped', () => {
  expect(html`<p title="${EVIL}">${[EVIL, null, 0]}${html`<b>${'&'}</b>`}</p>`.text).toBe(
    '<p title="&quot;&gt;&lt;img src=x onerror=1&gt;">&quot;&gt;&lt;img src=x onerror=1&gt;0<b>&amp;</b></p>',
  )
  expect(plainText(EVIL, []).text).not.toContain('<')
})

test('A150 D067 values between dots are escaped, and empty values have no dot', () => {
  expect(dotted('', EVIL, null, html`<b>b</b>`, false).text).toBe(`${html`${EVIL}`.text} · <b>b</b>`)
  expect(dotted('', undefined).text).toBe('')
})

test('A156 D066 pages sanitise the HTML of statuses again', () => {
  const shown = richText(
    '<p onclick=x>a<script>b</script><img src=x onerror=1><a href="javascript:1">c</a></p>',
    [],
  ).text
  expect(shown).toBe('<p>ac</p>')
})

test('A155 emoji shortcodes are replaced in text, never in attributes', () => {
  const shown = richText('<p>:bird: <a href="https://a.example/:bird:">:bird:</a></p>', [emoji]).text
  expect(shown.match(/<img /g)).toHaveLength(2)
  expect(shown).toContain('href="https://a.example/:bird:"')
})

test('A152 an emoji without an http URL stays text', () => {
  for (const static_url of ['javascript:1', 'data:image/png,x', EVIL])
    expect(richText('<p>:bird:</p>', [{ ...emoji, static_url }]).text).toBe('<p>:bird:</p>')
})

test('links of profile fields have rel="me"', () => {
  expect(fieldText('<a href="https://a.example" rel="me">a</a>', []).text).toBe(
    '<a href="https://a.example" target="_blank" rel="nofollow noopener me">a</a>',
  )
})

test.each([
  ['/oauth/authorize?a=b&c=d\\e', true],
  ['/@alice//evil', true],
  ['//evil.example', false],
  ['/\\evil.example', false],
  ['\\\\evil', false],
  ['https://evil.example/', false],
  ['/a\\b', false],
  ['/\t/evil.example', false],
  ['/%2F%2Fevil.example', true],
  ['/.//evil.example', false],
  ['javascript:alert(1)', false],
  ['', false],
  [undefined, false],
  [['/a'], false],
])('A094 after sign-in a redirect to %j is allowed: %s', (path, own) => {
  expect(ownPath(path)).toBe(own ? path : '/')
})

test.each([
  ['/oauth/authorize?client_id=1', true],
  ['/oauth/authorize', true],
  ['/oauth/authorize/?client_id=1', true],
  ['/OAuth/authorize', true],
  ['/oauth/authorize//', false],
  ['/oauth/authorize/native?code=1', false],
  ['/oauth/authorized_applications', false],
  ['/settings?next=/oauth/authorize', false],
  ['/', false],
])('a sign-in that leads to %j may lead to an app: %s', (next, leads) => {
  expect(isAuthorization(next)).toBe(leads)
})

test('an authorization request has only known parameters; repeated ones are ignored', () => {
  expect(readRequest({ client_id: 'a', scope: ['x', 'y'], state: '', evil: '1', force_login: 'false' })).toEqual({
    client_id: 'a',
    state: '',
  })
  expect(readRequest({ force_login: '1' })).toEqual({ force_login: true })
})
