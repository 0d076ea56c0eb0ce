/** The example of RFC 7636 appendix B, and everything that is not it. */
import { expect, test } from 'vitest'
import { provesChallenge } from './code.rules.js'

const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

test('the verifier of the RFC proves its challenge, and no other does', () => {
  expect(provesChallenge(challenge, 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(true)
  for (const verifier of ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXK', challenge, '', undefined, 'short'])
    expect(provesChallenge(challenge, verifier)).toBe(false)
})

test('without a challenge there is no verifier either', () => {
  expect(provesChallenge(null, undefined)).toBe(true)
  expect(provesChallenge(null, 'x'.repeat(43))).toBe(false)
})
