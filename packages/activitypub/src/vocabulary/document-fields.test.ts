/** Every field of local documents, one row each: its value, and when it is absent. A field without a row fails the test. */

import { describe, expect, test } from 'vitest'
import { actor, ada, addressing, note, vera, web } from '../../test/outgoing.js'
import { isoTime } from './time.js'
import { publicCollection } from './uri.js'
import { type ActorSource, writeActor, writeInstanceActor } from './write-actor.js'
import { type NoteSource, type PollSource, writeNote } from './write-note.js'

const followers = `${ada}/followers`
const written = (value: unknown) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>

type Row<Source> = [field: string, value: unknown, ...variants: [change: Partial<Source>, value: unknown][]]

/** `undefined` as value of a variant: the field is absent. */
const checkTable = <Source>(rows: Row<Source>[], write: (change: Partial<Source>) => unknown, more: string[] = []) => {
  test.each(rows)('%s', (field, value, ...variants) => {
    expect(written(write({}))[field]).toEqual(value)
    for (const [change, other] of variants) expect(written(write(change))[field]).toEqual(other)
  })
  test('the document has no other fields', () => {
    const known = new Set([...rows.map(([field]) => field), ...more])
    expect(Object.keys(written(write({}))).filter((it) => !known.has(it))).toEqual([])
  })
}

describe('an actor', () => {
  const suspended = { suspended: true }
  const flags = (field: keyof ActorSource, name: string, on: boolean): Row<ActorSource> => [
    name,
    on,
    [{ [field]: !on }, !on],
    [{ [field]: true, ...suspended }, false],
  ]
  const tab = (field: keyof ActorSource): Row<ActorSource> => [
    field,
    actor[field],
    [{ [field]: !actor[field] }, !actor[field]],
  ]
  checkTable<ActorSource>(
    [
      ['id', ada],
      ['type', 'Person', [{ kind: 'Service' }, 'Service'], [{ kind: 'Group' }, 'Group']],
      ['webfinger', 'ada@local.example'],
      ['preferredUsername', 'ada'],
      ['name', 'Ada :wave:', [{ displayName: '' }, 'ada'], [suspended, 'ada']],
      ['summary', '<p>bio</p>', [{ bio: '' }, ''], [suspended, '']],
      ['url', `${web}/@ada`],
      ['inbox', `${ada}/inbox`],
      ['outbox', `${ada}/outbox`],
      ['followers', followers],
      ['following', `${ada}/following`],
      ['featured', `${ada}/collections/featured`],
      ['featuredTags', `${ada}/collections/tags`],
      ['featuredCollections', `${ada}/featured_collections`],
      ['endpoints', { sharedInbox: `${web}/inbox` }],
      ['publicKey', { id: `${ada}#main-key`, owner: ada, publicKeyPem: `${actor.publicKeyPem}\n` }],
      [
        'assertionMethod',
        [{ id: `${ada}#ed25519-key`, type: 'Multikey', controller: ada, publicKeyMultibase: 'z6Mk' }],
        [{ ed25519: null }, undefined],
      ],
      flags('locked', 'manuallyApprovesFollowers', true),
      flags('discoverable', 'discoverable', true),
      flags('indexable', 'indexable', true),
      flags('memorial', 'memorial', false),
      tab('showFeatured'),
      tab('showMedia'),
      tab('showRepliesInMedia'),
      [
        'interactionPolicy',
        { canFeature: { automaticApproval: [followers] } },
        [{ locked: false }, { canFeature: { automaticApproval: [publicCollection] } }],
        [{ discoverable: false }, { canFeature: { automaticApproval: [ada] } }],
        [suspended, { canFeature: { automaticApproval: [ada] } }],
      ],
      ['published', '2026-05-01T00:00:00.000Z'],
      [
        'tag',
        [
          expect.objectContaining({ type: 'Emoji', name: ':wave:' }),
          { type: 'Hashtag', href: `${web}/tags/cats`, name: '#cats' },
        ],
        [suspended, []],
      ],
      [
        'attachment',
        [{ type: 'PropertyValue', name: 'Web', value: '<a href="https://ada.example" rel="me">ada</a>' }],
        [{ fields: [] }, []],
        [suspended, []],
      ],
      [
        'icon',
        { type: 'Image', mediaType: 'image/png', url: `${web}/a.png`, summary: 'portrait' },
        [{ avatar: null }, undefined],
        [suspended, undefined],
      ],
      [
        'image',
        { type: 'Image', mediaType: 'image/png', url: `${web}/h.png` },
        [{ header: null }, undefined],
        [suspended, undefined],
      ],
      ['movedTo', undefined, [{ movedTo: vera }, vera]],
      ['alsoKnownAs', ['https://old.example/users/ada'], [{ aliases: [] }, undefined]],
      ['attributionDomains', ['ada.example'], [{ attributionDomains: [] }, undefined]],
      ['suspended', undefined, [suspended, true]],
    ],
    (change) => writeActor({ ...actor, ...change }),
    ['@context'],
  )

  test('@context: the standard, keys, handles, and the terms', () => {
    const context = written(writeActor({ ...actor, ed25519: null }))['@context'] as unknown[]
    expect(context.slice(0, 3)).toEqual([
      'https://www.w3.org/ns/activitystreams',
      'https://w3id.org/security/v1',
      'https://purl.archive.org/socialweb/webfinger',
    ])
    expect(context[3]).toMatchObject({
      manuallyApprovesFollowers: 'as:manuallyApprovesFollowers',
      movedTo: { '@id': 'as:movedTo', '@type': '@id' },
      toot: 'http://joinmastodon.org/ns#',
      schema: 'http://schema.org#',
      attributionDomains: { '@container': '@set' },
      canFeature: { '@id': 'https://w3id.org/fep/7aa9#canFeature' },
    })
  })
})

test('the instance actor has these fields and no others', () => {
  const document = writeInstanceActor({
    uri: `${web}/actor`,
    handleDomain: 'local.example',
    url: `${web}/about`,
    sharedInbox: `${web}/inbox`,
    publicKeyPem: actor.publicKeyPem,
  })
  const { '@context': _context, ...fields } = written(document)
  expect(fields).toEqual({
    id: `${web}/actor`,
    type: 'Application',
    inbox: `${web}/actor/inbox`,
    outbox: `${web}/actor/outbox`,
    preferredUsername: 'local.example',
    url: `${web}/about`,
    manuallyApprovesFollowers: true,
    publicKey: { id: `${web}/actor#main-key`, owner: `${web}/actor`, publicKeyPem: `${actor.publicKeyPem}\n` },
    endpoints: { sharedInbox: `${web}/inbox` },
  })
})

describe('a status', () => {
  const poll: PollSource = {
    multiple: false,
    options: [
      { title: 'Red', votes: 3 },
      { title: 'Blue', votes: 1 },
    ],
    voters: 4,
    endsAt: '2026-05-02T10:00:00Z',
    over: false,
    hidden: false,
  }
  const options = [
    { type: 'Note', name: 'Red', replies: { type: 'Collection', totalItems: 3 } },
    { type: 'Note', name: 'Blue', replies: { type: 'Collection', totalItems: 1 } },
  ]
  const secret = options.map(({ type, name }) => ({ type, name, replies: { type: 'Collection' } }))
  const replies = `${note.uri}/replies`
  const quoted = { uri: `${vera}/1`, authorization: `${vera}/stamps/1` }
  const under = (value: unknown): [Partial<NoteSource>, unknown] => [{ quote: quoted }, value]
  checkTable<NoteSource>(
    [
      ['id', note.uri],
      ['url', note.url],
      ['type', 'Note', [{ poll }, 'Question']],
      ['attributedTo', ada],
      ['summary', 'careful', [{ warning: null }, null]],
      ['content', '<p>hello</p>'],
      ['contentMap', { en: '<p>hello</p>' }, [{ language: null }, undefined]],
      ['inReplyTo', 'https://remote.example/1', [{ inReplyTo: null }, null]],
      ['inReplyToAtomUri', 'https://remote.example/1', [{ inReplyTo: null }, null]],
      ['atomUri', note.uri],
      ['published', '2026-05-01T10:11:12.131Z'],
      ['updated', undefined, [{ editedAt: '2026-05-01T11:00:00.9Z' }, '2026-05-01T11:00:00.900Z']],
      ['to', addressing.to],
      ['cc', addressing.cc],
      ['sensitive', true, [{ sensitive: false }, false]],
      [
        'conversation',
        `${web}/contexts/1`,
        [{ conversation: 'tag:a.example,2026:1' }, 'tag:a.example,2026:1'],
        [{ conversation: null }, null],
      ],
      ['context', `${web}/contexts/1`, [{ conversation: 'tag:a.example,2026:1' }, undefined]],
      [
        'attachment',
        [
          {
            type: 'Document',
            mediaType: 'image/jpeg',
            url: `${web}/m.jpg`,
            name: 'alt',
            blurhash: 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
            focalPoint: [-0.5, 0.5],
            width: 10,
            height: 20,
          },
          { type: 'Link', href: 'https://news.example/cat' },
        ],
        [{ attachments: [], link: null }, []],
      ],
      [
        'tag',
        [
          { type: 'Mention', href: vera, name: '@vera@remote.example' },
          { type: 'Hashtag', href: `${web}/tags/test`, name: '#test' },
          expect.objectContaining({ type: 'Emoji', name: ':wave:' }),
        ],
        [{ mentions: [], hashtags: [], emojis: [] }, []],
      ],
      [
        'replies',
        {
          id: replies,
          type: 'Collection',
          first: {
            type: 'CollectionPage',
            next: `${replies}?only_other_accounts=true&page=true`,
            partOf: replies,
            items: [`${ada}/statuses/2`],
          },
        },
      ],
      ['likes', { id: `${note.uri}/likes`, type: 'Collection', totalItems: 1 }],
      ['shares', { id: `${note.uri}/shares`, type: 'Collection', totalItems: 2 }],
      [
        'interactionPolicy',
        { canQuote: { automaticApproval: [publicCollection] } },
        [{ mayQuote: [followers] }, { canQuote: { automaticApproval: [followers] } }],
        [{ mayQuote: [ada] }, { canQuote: { automaticApproval: [ada] } }],
      ],
      ['quote', undefined, under(quoted.uri), [{ quote: { uri: null, authorization: null } }, { type: 'Tombstone' }]],
      ['_misskey_quote', undefined, under(quoted.uri)],
      ['quoteUri', undefined, under(quoted.uri)],
      ['quoteUrl', undefined, under(quoted.uri)],
      [
        'quoteAuthorization',
        undefined,
        under(quoted.authorization),
        [{ quote: { ...quoted, authorization: null } }, undefined],
      ],
      [
        'oneOf',
        undefined,
        [{ poll }, options],
        [{ poll: { ...poll, multiple: true } }, undefined],
        [{ poll: { ...poll, hidden: true } }, secret],
      ],
      ['anyOf', undefined, [{ poll }, undefined], [{ poll: { ...poll, multiple: true } }, options]],
      [
        'endTime',
        undefined,
        [{ poll }, isoTime('2026-05-02T10:00:00Z')],
        [{ poll: { ...poll, endsAt: null } }, undefined],
      ],
      ['closed', undefined, [{ poll }, undefined], [{ poll: { ...poll, over: true } }, '2026-05-02T10:00:00.000Z']],
      ['votersCount', undefined, [{ poll }, 4]],
    ],
    (change) => writeNote({ ...note, ...change }),
    ['@context'],
  )
})
