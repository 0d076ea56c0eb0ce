// Sign-in and consent without JavaScript, with a small server with sessions, CSRF tokens and redirects.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Received, type StubResponse, serve, type WebServer } from '../outside/web-server.js'
import { cookieJar } from './cookies.js'
import { type Browser, openBrowser } from './forms.js'

const signIn = `<!doctype html><title>Sign in</title><noscript><p>No scr<b>ipt</b> nee<wbr>ded<p>here</p></noscript><script>broken(</script>
  <p role="alert">Please   sign in</p><form action="/sign_in?from=1&amp;x=2" method="post">
  <input type="hidden" name="authenticity_token" value="tok&amp;en"><label for="mail">E-mail</label>
  <input id="mail" type="email" name="email" required autocomplete="username">
  <label>Password <input type="password" name="password"></label><input type="checkbox" name="remember" checked>
  <input type="checkbox" name="terms" value="yes"><input name="off" disabled value="never">
  <select name="locale"><option value="de">Deutsch<option selected>en</select><textarea name="note">
two
lines</textarea><button>Sign in</button><button type="button">Other</button></form><a href="/help">Help me</a>`
const consent = `<form id=allow method=post action=/authorize><button name=allow value=1>Authorize it</button></form>
  <form method=get action=/search?old=1><input name=q><button formaction="/deny">Deny</button></form>`

let server: WebServer
let browser: Browser
const seen: Received[] = []

beforeAll(async () => {
  const html = { 'content-type': 'text/html; charset=utf-8' }
  server = await serve((request): StubResponse => {
    seen.push(request)
    const { pathname } = new URL(request.path, 'http://x')
    const isIn = request.headers.cookie?.includes('session=in')
    if (pathname === '/authorize' && request.method === 'POST')
      return { status: 303, headers: { location: 'app://callback?code=abc' } }
    if (pathname === '/authorize' && !isIn) return { status: 302, headers: { location: '/sign_in' } }
    if (pathname === '/authorize') return { status: 200, headers: html, body: consent }
    if (pathname === '/sign_in' && request.method === 'POST')
      return {
        status: 302,
        headers: { location: 'authorize', 'set-cookie': 'session=in; Path=/; HttpOnly; SameSite=Lax' },
      }
    if (pathname === '/sign_in') return { status: 200, headers: html, body: signIn }
    if (pathname === '/again') return { status: 307, headers: { location: '/echo' } }
    if (pathname === '/loop') return { status: 302, headers: { location: '/loop' } }
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: `${request.method} ${request.path}` }
  })
})
afterAll(() => server.close())
beforeEach(() => {
  browser = openBrowser()
})

test('sign-in and consent send cookies, hidden fields and the pressed button, and follow redirects', async () => {
  const first = await browser.get(`${server.origin}/authorize`)
  expect(first).toMatchObject({ status: 200, title: 'Sign in', alerts: ['Please sign in'], scripts: 1 })
  expect(first.redirects).toEqual([`${server.origin}/authorize`])
  expect(first.text).toContain('No script needed here')
  expect(first.text).not.toContain('broken')
  const labels = first.forms[0]!.fields.map(({ name, label, type }) => `${name}/${type}/${label}`)
  expect(labels.slice(1, 3)).toEqual(['email/email/E-mail', 'password/password/Password'])
  const allow = await browser.submit(0, { fields: { email: 'a@b.example', password: 'p&w', terms: true } })
  const sent = seen.find((one) => one.method === 'POST' && one.path === '/sign_in?from=1&x=2')!
  expect([...new URLSearchParams(sent.body.toString())]).toEqual([
    ['authenticity_token', 'tok&en'],
    ['email', 'a@b.example'],
    ['password', 'p&w'],
    ['remember', 'on'],
    ['terms', 'yes'],
    ['locale', 'en'],
    ['note', 'two\nlines'],
  ])
  expect(sent.headers).toMatchObject({ origin: server.origin, referer: `${server.origin}/sign_in` })
  expect(allow.url).toBe(`${server.origin}/authorize`)
  expect(browser.cookies.find('session')).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  const done = await browser.submit('allow', { button: 'authorize' })
  expect([done.status, done.url]).toEqual([303, 'app://callback?code=abc'])
  expect(seen.at(-1)!.body.toString()).toBe('allow=1')
})

test('links, GET forms and a button with its own URL work', async () => {
  await browser.get(`${server.origin}/sign_in`)
  expect((await browser.follow('Help')).html).toBe('GET /help')
  await browser.get(`${server.origin}/sign_in`)
  await browser.submit(0)
  expect((await browser.submit(1, { fields: { q: 'a b' } })).html).toBe('GET /deny?q=a+b')
})

test('mistakes of a test throw an error with the reason', async () => {
  expect(() => browser.page()).toThrow('no page was visited')
  await browser.get(`${server.origin}/sign_in`)
  expect(() => browser.submit(3)).toThrow('no form 3')
  expect(() => browser.submit(0, { button: 'Sign up' })).toThrow('there are: Sign in')
  expect(() => browser.submit(0, { fields: { mail: 'x' } })).toThrow('no field "mail"')
  await expect(browser.get(`${server.origin}/loop`)).rejects.toThrow('more than 10 redirects')
})

test('cookies respect domain, path, Secure, prefixes and age', () => {
  const jar = cookieJar()
  const url = new URL('https://www.social.example/auth/page')
  jar.take(url, ['a=1', 'b=2; Path=/; Domain=.social.example', 'c=3; Path=/; Secure', 'd=4; Domain=evil.example'])
  jar.take(url, [
    'e=5; Max-Age=0',
    'f=6; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    '__Host-g=7; Secure',
    '__Host-h=8; Secure; Path=/',
  ])
  const sent = (address: string) => jar.header(new URL(address))
  expect(sent('https://www.social.example/auth/other')).toBe('a=1; b=2; c=3; __Host-h=8')
  expect(sent('https://www.social.example/authority')).toBe('b=2; c=3; __Host-h=8')
  expect(sent('http://files.social.example/')).toBe('b=2')
  expect(sent('https://social.example.evil.example/')).toBe('')
  jar.take(url, ['b=; Path=/; Domain=social.example; Max-Age=0'])
  expect(sent('http://files.social.example/')).toBe('')
})
