/** Tests of PKCE with the example of RFC 7636 appendix B. */
import { expect, test } from 'vitest'
import { provesChallenge } from './code.rules.js'

const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

test('only the verifier of the RFC matches its challenge', () => {
  expect(provesChallenge(challenge, 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(true)
  for (const verifier of ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXK', challenge, '', undefined, 'short'])
    expect(provesChallenge(challenge, verifier)).toBe(false)
})

test('a verifier without a challenge is refused', () => {
  expect(provesChallenge(null, undefined)).toBe(true)
  expect(provesChallenge(null, 'x'.repeat(43))).toBe(false)
})
