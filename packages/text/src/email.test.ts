/** The ASCII form of e-mail addresses. */
import { expect, test } from 'vitest'
import { asciiEmail } from './email.js'

test.each([
  [' Ada@M\u00fcnchen.example ', 'Ada@xn--mnchen-3ya.example'],
  ['ada@mail.exam\u00adple', 'ada@mail.example'],
  ['ada@\uff4dail.example', 'ada@mail.example'],
  ['Ada@Mail.example', 'Ada@Mail.example'],
  ['m\u00fcnchen', 'm\u00fcnchen'],
])('%j has the ASCII form %j', (email, ascii) => expect(asciiEmail(email)).toBe(ascii))

test.each(['/e', '?x', '#x', '\\x', ':80', '%2eexample', '\tx', '\u0001', '\uff0fe', '\uff05\uff12\uff45x'])(
  'a domain with %j stays unchanged',
  (end) => expect(asciiEmail(`ada@m\u00fcnchen.example${end}.x`)).toBe(`ada@m\u00fcnchen.example${end}.x`),
)
