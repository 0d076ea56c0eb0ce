/** Reads the signature vectors in vectors/: keys, exact requests and the expected result of each. */

import { readFileSync } from 'node:fs'

export type RequestCase = {
  name: string
  /** Moment of this case, when it differs from that of the file. */
  now?: string
  request: { method: string; url: string; headers: Record<string, string>; body?: string }
  /** The text under the signature, named differently for the two schemes. */
  signingString?: string
  signatureBase?: string
  signatureBase64?: string
  expect: string
}

export type DocumentCase = {
  name: string
  document: Record<string, unknown>
  canonicalDocument?: string
  proofOptionsHashHex?: string
  documentHashHex?: string
  expect: string
}

export type VectorFile<Case> = { now: string; cases: Case[] }

export type VectorKeys = {
  rsa: { keyId: string; owner: string; publicKeyPem: string; privateKeyPem: string }
  otherRsa: { keyId: string; owner: string; publicKeyPem: string; privateKeyPem: string }
  ed25519: {
    keyId: string
    controller: string
    publicKeyPem: string
    privateKeyPem: string
    publicKeyMultibase: string
  }
  actorDocument: Record<string, unknown>
}

/** The parsed vector file of this name. */
export const vectors = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`./vectors/${name}.json`, import.meta.url), 'utf8')) as T
