/** Makes endless nonsense that looks like ActivityPub: seeded, so that what failed once fails again. */

/** Numbers from 0 to 1, the same for the same seed. */
export const randomFrom = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const strings = [
  '',
  'x',
  '\u0000',
  '\ud800',
  '__proto__',
  'constructor',
  'https://remote.example/1',
  'https://remote.example/users/vera',
  'https://evil.example:8443/x#y',
  'http://127.0.0.1/',
  'javascript:alert(1)',
  'data:,x',
  'acct:a@b.example',
  'bear:?t=a&u=https%3A%2F%2Fremote.example%2F1',
  'as:Public',
  'https://www.w3.org/ns/activitystreams',
  'https://www.w3.org/ns/activitystreams#Public',
  '2026-05-01T10:00:00Z',
  '+275760-09-13T00:00:00Z',
  'PT1S',
  ':fox:',
  '#tag',
  '@vera@remote.example',
  'Create',
  'Update',
  'Announce',
  'Undo',
  'Flag',
  'Add',
  'Move',
  'EmojiReact',
  'QuoteRequest',
  'Note',
  'Question',
  'Article',
  'Person',
  'Mention',
  'Hashtag',
  'Emoji',
  'Tombstone',
  'PropertyValue',
  'OrderedCollectionPage',
  'QuoteAuthorization',
  'Multikey',
  'text/html',
  '<script>',
  'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
  'x'.repeat(2100),
]

const scalars = [null, true, false, 0, -1, 1.5, 2 ** 60, Number.POSITIVE_INFINITY, -0]

const keys = [
  '@context',
  'id',
  'type',
  'actor',
  'object',
  'target',
  'instrument',
  'result',
  'to',
  'cc',
  'content',
  'contentMap',
  'name',
  'nameMap',
  'summary',
  'published',
  'updated',
  'url',
  'href',
  'rel',
  'mediaType',
  'attributedTo',
  'inReplyTo',
  'tag',
  'attachment',
  'icon',
  'image',
  'focalPoint',
  'blurhash',
  'duration',
  'oneOf',
  'anyOf',
  'closed',
  'endTime',
  'replies',
  'likes',
  'totalItems',
  'quote',
  'quoteAuthorization',
  'interactionPolicy',
  'canQuote',
  'automaticApproval',
  'preferredUsername',
  'webfinger',
  'inbox',
  'outbox',
  'endpoints',
  'sharedInbox',
  'publicKey',
  'publicKeyPem',
  'assertionMethod',
  'controller',
  'owner',
  'alsoKnownAs',
  'attributionDomains',
  'value',
  'items',
  'orderedItems',
  'first',
  'next',
  'partOf',
  'subject',
  'links',
  'proof',
  'interactingObject',
  'interactionTarget',
  '__proto__',
  'toString',
  '@graph',
]

/** Any JSON value, at most `depth` deep. Objects are made as the parser makes them, so that every key is an own one. */
export const randomJson = (random: () => number, depth = 5): unknown => {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const kind = random()
  if (depth === 0 || kind < 0.35) return pick(strings)
  if (kind < 0.45) return pick(scalars)
  if (kind < 0.6) return Array.from({ length: Math.floor(random() * 4) }, () => randomJson(random, depth - 1))
  const node = {}
  for (let count = Math.floor(random() * 12); count > 0; count--)
    Object.defineProperty(node, pick(keys), {
      value: randomJson(random, depth - 1),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  return node
}

/** A sound document with a few members spoilt, so that readers get past their first checks. */
export const almostRight = (random: () => number, sound: object): Record<string, unknown> => ({
  ...sound,
  ...Object.fromEntries(
    Array.from({ length: Math.floor(random() * 6) }, () => [
      keys[Math.floor(random() * (keys.length - 3))],
      randomJson(random, 3),
    ]),
  ),
})
