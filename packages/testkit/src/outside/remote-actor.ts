/** Actors of a fake remote server: keys, actor documents and notes. */
import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'

const CONTEXT = ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1']

/** Any ActivityPub document. */
export type Document = Record<string, unknown>

export interface RemoteActor {
  name: string
  id: string
  inbox: string
  outbox: string
  followers: string
  keyId: string
  publicKey: string
  privateKey: string
  /** The actor document that the server returns. Tests may change it to make it invalid. */
  document: Document
}

const makeKeys = promisify(generateKeyPair)

/** Creates an RSA key pair as other servers use it: 2,048 bits, PEM. Takes about 100 ms. */
export const makeRsaKeys = (): Promise<{ publicKey: string; privateKey: string }> =>
  makeKeys('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

/**
 * Creates an actor of the server at `origin`.
 *
 * @param extra fields to add to the document or to replace in it, such as `{ type: 'Service' }`
 */
export const makeActor = async (origin: string, name: string, extra: Document = {}): Promise<RemoteActor> => {
  const { publicKey, privateKey } = await makeRsaKeys()
  const id = `${origin}/users/${name}`
  const urls = { inbox: `${id}/inbox`, outbox: `${id}/outbox`, followers: `${id}/followers` }
  const keyId = `${id}#main-key`
  const document: Document = {
    '@context': CONTEXT,
    id,
    type: 'Person',
    preferredUsername: name,
    name,
    summary: '',
    url: `${origin}/@${name}`,
    ...urls,
    following: `${id}/following`,
    endpoints: { sharedInbox: `${origin}/inbox` },
    publicKey: { id: keyId, owner: id, publicKeyPem: publicKey },
    manuallyApprovesFollowers: false,
    discoverable: true,
    indexable: true,
    published: '2026-01-01T00:00:00Z',
    ...extra,
  }
  return { name, id, ...urls, keyId, publicKey, privateKey, document }
}

export const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'

/** Creates a note of an actor. The note is public unless `extra` has other recipients. */
export const makeNote = (author: RemoteActor, id: string, content: string, extra: Document = {}): Document => ({
  '@context': CONTEXT[0],
  id,
  type: 'Note',
  attributedTo: author.id,
  content,
  published: new Date().toISOString(),
  to: [PUBLIC],
  cc: [author.followers],
  url: id,
  ...extra,
})

/**
 * Creates an activity of the actor. `object` is the object of the activity, or only its id. The recipients of the
 * activity are those of the object.
 */
export const makeActivity = (
  actor: RemoteActor,
  type: string,
  object: Document | string,
  extra: Document = {},
): Document & { id: string } => ({
  '@context': CONTEXT[0],
  id: `${actor.id}/activities/${crypto.randomUUID()}`,
  type,
  actor: actor.id,
  object,
  ...(typeof object === 'object' && { to: object.to, cc: object.cc, published: object.published }),
  ...extra,
})
