/** Parsers of remote documents: none throws on any JSON, and each result matches its type. */

import { activityTypes } from '@murmuration/activitypub/vocabulary/activity'
import { actorKinds } from '@murmuration/activitypub/vocabulary/actor'
import { convertedKinds, nativeKinds } from '@murmuration/activitypub/vocabulary/note'
import { parseDocument } from '@murmuration/activitypub/vocabulary/parse-document'
import { readActivity } from '@murmuration/activitypub/vocabulary/read-activity'
import { readActor } from '@murmuration/activitypub/vocabulary/read-actor'
import { readCollection } from '@murmuration/activitypub/vocabulary/read-collection'
import { readKeyDocument } from '@murmuration/activitypub/vocabulary/read-key'
import { readNote } from '@murmuration/activitypub/vocabulary/read-note'
import { readQuoteAuthorization } from '@murmuration/activitypub/vocabulary/read-quote'
import { readWebFinger } from '@murmuration/activitypub/vocabulary/read-webfinger'
import { readUri } from '@murmuration/activitypub/vocabulary/uri'
import { expect, test } from 'vitest'
import { almostRight, randomFrom, randomJson } from '../../test/random-json.js'
import { authorizeSender } from '../core/activity/authority.rules.js'

const context = 'https://www.w3.org/ns/activitystreams'
const id = 'https://remote.example/1'
const vera = 'https://remote.example/users/vera'
const pickFrom = <T>(random: () => number, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T

/** The first value of a result that does not match its type, or null. */
const faultIn = (value: unknown): string | null => {
  for (const [key, it] of Object.entries((value ?? {}) as object)) {
    if (key === 'node' || it === null || typeof it === 'boolean') continue
    const isAddress =
      ['uri', 'id', 'actor', 'url', 'inbox', 'outbox', 'target', 'href'].includes(key) && typeof it === 'string'
    if (isAddress && readUri(it) !== it) return `${key}: ${it}`
    if (['published', 'updated', 'endsAt'].includes(key) && new Date(it as string).toISOString() !== it)
      return `${key}: ${it}`
    if (typeof it === 'number' && !Number.isFinite(it)) return `${key}: ${it}`
    const inside = typeof it === 'object' ? faultIn(it) : null
    if (inside !== null) return inside
  }
  return null
}

/** Per reader: how it is called, and a sound document in many variants. */
const readers: Record<string, [(it: unknown) => object | null, (random: () => number) => object]> = {
  activity: [
    (it) => {
      const read = readActivity(it)
      if (read.ok)
        authorizeSender(read.activity, {
          signer: read.activity.actor,
          proved: null,
          suspended: false,
          ownHosts: new Set(['local.example']),
        })
      return read
    },
    (random) => ({
      '@context': context,
      id,
      type: pickFrom(random, [...activityTypes, 'EmojiReact']),
      actor: vera,
      object: id,
      target: id,
      instrument: id,
    }),
  ],
  note: [
    (it) => readNote(it, { fetched: true }),
    (random) => ({ '@context': context, id, type: pickFrom(random, [...nativeKinds, ...convertedKinds]) }),
  ],
  actor: [
    (it) => readActor(it, { fetched: true }),
    (random) => ({
      '@context': context,
      id: vera,
      type: pickFrom(random, actorKinds),
      preferredUsername: 'vera',
      inbox: `${vera}/inbox`,
      publicKey: { id: `${vera}#main-key`, owner: vera, publicKeyPem: 'x' },
    }),
  ],
  collection: [(it) => readCollection(it, { origin: id }), () => ({ id, type: 'OrderedCollectionPage' })],
  stamp: [
    readQuoteAuthorization,
    () => ({ id, type: 'QuoteAuthorization', attributedTo: vera, interactingObject: id, interactionTarget: id }),
  ],
  key: [(it) => readKeyDocument(it, id), () => ({ id, owner: vera, publicKeyPem: 'x' })],
  webFinger: [
    readWebFinger,
    () => ({ subject: 'acct:a@b.example', links: [{ rel: 'self', type: 'application/activity+json', href: id }] }),
  ],
}

test.each(Object.entries(readers))('hostile 36: %s throws on no JSON', (_, [reader, sound]) => {
  const random = randomFrom(20_261_101)
  let read = 0
  for (let round = 0; round < 1500; round++) {
    const value = round % 3 === 0 ? randomJson(random, 4) : almostRight(random, sound(random))
    const outcome = reader(value)
    const fault = faultIn(outcome)
    if (fault !== null) expect.fail(`${fault} out of ${JSON.stringify(value)}`)
    if (outcome !== null && (!('ok' in outcome) || outcome.ok === true)) read++
  }
  // Documents that are all refused by the first check would test that check only.
  expect(read).toBeGreaterThan(100)
  expect(Object.keys(Object.prototype)).toEqual([])
})

test('parseDocument throws on no bytes', () => {
  const random = randomFrom(7)
  const refused = new Set<string>()
  for (let round = 0; round < 1000; round++) {
    const bytes = Buffer.from(JSON.stringify(randomJson(random)))
    for (let hits = Math.floor(random() * 4); hits > 0; hits--)
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
    const outcome = parseDocument(bytes)
    if (!outcome.ok) refused.add(outcome.reason)
  }
  expect([...refused].sort()).toEqual(expect.arrayContaining(['not-an-object', 'not-json', 'not-utf8', 'reshaped']))
})
