/** WebAuthn: creates options for browsers, and verifies their responses with passkeys and security keys. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

/** The library is large, so it is loaded only if a key is used. */
const library = () => import('@simplewebauthn/server')

/** This server as relying party of WebAuthn. Origin and host name of a response must match exactly (D008). */
export interface RelyingParty {
  readonly name: string
  readonly origin: string
}

export interface KnownKey {
  readonly id: string
  readonly credential_id: string
  readonly public_key: Uint8Array
  readonly sign_count: string
  readonly transports: readonly string[]
}

/** COSE identifiers of EdDSA, ES256 and RS256. */
const ALGORITHMS = [-8, -7, -257]
const TIMEOUT_MS = 300_000

const idOf = ({ origin }: RelyingParty): string => new URL(origin).hostname

type Transports = NonNullable<RegistrationResponseJSON['response']['transports']>

const listed = (keys: readonly KnownKey[]) =>
  keys.map((key) => ({ id: key.credential_id, transports: [...key.transports] as Transports }))

/** Returns JSON text for `navigator.credentials.create`, and the challenge to store. */
export const registrationOptions = async (
  party: RelyingParty,
  user: { userId: string; username: string },
  known: readonly KnownKey[],
): Promise<{ options: string; challenge: string }> => {
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: party.name,
    rpID: idOf(party),
    userName: user.username,
    userID: new Uint8Array(Buffer.from(user.userId)),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: listed(known),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
  return { options: JSON.stringify(options), challenge: options.challenge }
}

/** Returns JSON text for `navigator.credentials.get`, and the challenge to store. */
export const authenticationOptions = async (
  party: RelyingParty,
  known: readonly KnownKey[],
): Promise<{ options: string; challenge: string }> => {
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    rpID: idOf(party),
    timeout: TIMEOUT_MS,
    allowCredentials: listed(known),
    userVerification: 'preferred',
  })
  return { options: JSON.stringify(options), challenge: options.challenge }
}

const parsed = (json: string): { id: string } | null => {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && typeof (value as { id?: unknown }).id === 'string'
      ? (value as { id: string })
      : null
  } catch {
    return null
  }
}

export interface ProvedKey {
  readonly credentialId: string
  readonly publicKey: Buffer
  readonly signCount: number
  readonly transports: string[]
}

/** Returns the verified new key. Null if the response is not valid. */
export const proveNewKey = async (party: RelyingParty, challenge: string, json: string): Promise<ProvedKey | null> => {
  const response = parsed(json)
  if (!response) return null
  const { verifyRegistrationResponse } = await library()
  // The WebAuthn library throws an error for every response that is not valid.
  const proof = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: idOf(party),
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null)
  if (!proof?.verified) return null
  const { credential } = proof.registrationInfo
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    signCount: credential.counter,
    transports: (credential.transports ?? []).filter((one) => /^[a-z-]{1,20}$/.test(one)).slice(0, 10),
  }
}

/** Returns the known key that signed the challenge, and its counter. Null if the response is not valid. */
export const proveKnownKey = async (
  party: RelyingParty,
  challenge: string,
  known: readonly KnownKey[],
  json: string,
): Promise<{ key: KnownKey; signCount: number } | null> => {
  const response = parsed(json)
  const key = known.find((one) => one.credential_id === response?.id)
  if (!response || !key) return null
  const { verifyAuthenticationResponse } = await library()
  const proof = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: idOf(party),
    requireUserVerification: false,
    credential: {
      id: key.credential_id,
      publicKey: new Uint8Array(key.public_key),
      counter: Number(key.sign_count),
      transports: [...key.transports] as Transports,
    },
  }).catch(() => null)
  return proof?.verified ? { key, signCount: proof.authenticationInfo.newCounter } : null
}
