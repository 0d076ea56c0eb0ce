/** Authority of actors over activities and objects: numbered rows of hostile input, each beside a valid case. */

import type { Activity, ActivityOf, ActivityType } from '@murmuration/activitypub/vocabulary/activity'
import { readActivity } from '@murmuration/activitypub/vocabulary/read-activity'
import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { describe, expect, test } from 'vitest'
import {
  authorizeAnnounce,
  authorizeBlock,
  authorizeCreate,
  authorizeDelete,
  authorizeFlag,
  authorizePin,
  authorizeQuoteRequest,
  authorizeResponse,
  authorizeUndo,
  authorizeUpdate,
  requireLocalObject,
} from '../../inbox/object-authority.rules.js'
import { authorizeSender, isOwnerOf, type Sender, trustedUri } from './authority.rules.js'

const uri = (text: string) => text as Uri
const ownHosts = new Set(['local.example', 'social.local.example'])
const alice = uri('https://local.example/users/alice')
const eve = uri('https://evil.example/users/eve')
const eve2 = uri('https://evil.example/users/eve2')
const vera = uri('https://remote.example/users/vera')

const activityOf = <T extends ActivityType>(type: T, fields: object): ActivityOf<T> => {
  const document = { '@context': 'https://www.w3.org/ns/activitystreams', id: `${eve}#1`, type, actor: eve, ...fields }
  const read = readActivity(document)
  if (!read.ok) throw new Error(read.reason)
  return read.activity as ActivityOf<T>
}
const noteBy = (author: string, id: string = `${eve}/notes/1`) => ({
  id,
  type: 'Note',
  attributedTo: author,
  content: 'x',
})
const reason = (result: { ok: boolean; reason?: string }) => (result.ok ? 'ok' : result.reason)

describe('sender of an activity', () => {
  const sender: Sender = { signer: eve, proved: null, suspended: false, ownHosts }
  const authorized = (activity: Activity, change: Partial<Sender> = {}) => {
    const result = authorizeSender(activity, { ...sender, ...change })
    return result.ok ? result.by : result.reason
  }
  const like = activityOf('Like', { object: 'https://local.example/s/1' })

  test.each([
    ['the signer', like, {}, 'signer'],
    ['A009 hostile 20: somebody else', { ...like, actor: vera, id: null }, {}, 'actor-is-not-signer'],
    [
      'hostile 72: a relay without proof',
      { ...like, actor: vera, id: null },
      { signer: uri('https://relay.example/actor') },
      'actor-is-not-signer',
    ],
    ['a relay with proof by the actor', like, { signer: uri('https://relay.example/actor'), proved: eve }, 'proof'],
    ['a proof by another', like, { signer: uri('https://relay.example/actor'), proved: eve2 }, 'actor-is-not-signer'],
    ['one of ours', { ...like, actor: alice, id: null }, { signer: alice }, 'actor-is-ours'],
    [
      'one of ours, spelt differently',
      { ...like, actor: uri('https://LOCAL.example:443/x'), id: null },
      {},
      'actor-is-ours',
    ],
    ['an id on another host', { ...like, id: uri('https://remote.example/1') }, {}, 'id-on-another-origin'],
    ['an id on another port', { ...like, id: uri('https://evil.example:8443/1') }, {}, 'id-on-another-origin'],
    ['no id', { ...like, id: null }, {}, 'signer'],
    [
      'a request to quote without id',
      activityOf('QuoteRequest', { id: null, object: alice, instrument: noteBy(eve) }),
      {},
      'needs-id',
    ],
  ] as const)('%s', (_, activity, change, outcome) => {
    expect(authorized(activity as Activity, change)).toBe(outcome)
  })

  test.each([
    ['Like', 'actor-is-suspended'],
    ['Create', 'actor-is-suspended'],
    ['Follow', 'actor-is-suspended'],
    ['Announce', 'actor-is-suspended'],
    ['Move', 'actor-is-suspended'],
    ['Accept', 'actor-is-suspended'],
    ['Flag', 'actor-is-suspended'],
    ['Delete', 'signer'],
    ['Undo', 'signer'],
    ['Reject', 'signer'],
    ['Update', 'signer'],
  ] as const)('A023 hostile 73: a suspended actor sends %s', (type, outcome) => {
    expect(authorized(activityOf(type, { object: `${eve}/x`, target: vera }), { suspended: true })).toBe(outcome)
  })

  test('A016 A017: only the owner speaks for what it owns', () => {
    expect([isOwnerOf(eve, eve), isOwnerOf(eve2, eve), isOwnerOf(eve, vera)]).toEqual([true, false, false])
  })
  test('A002: an id becomes a key only under its own origin', () => {
    expect(trustedUri(vera, 'https://remote.example')).toBe(vera)
    expect(trustedUri(vera, 'https://evil.example')).toBeNull()
    expect(trustedUri(vera, 'http://remote.example')).toBeNull()
  })
})

describe('Create', () => {
  const authorized = (object: unknown) => {
    const activity = activityOf('Create', { object })
    const result = authorizeCreate(activity, activity.objects[0]!, ownHosts)
    return result.ok ? result.from : result.reason
  }
  test.each([
    ['own note', noteBy(eve), 'copy'],
    ['own note without author', { id: `${eve}/1`, type: 'Note' }, 'copy'],
    ['own note by person and group', { ...noteBy(eve), attributedTo: [eve, 'https://evil.example/groups/1'] }, 'copy'],
    ['A002 hostile 48: id on another host', noteBy(eve, 'https://remote.example/notes/1'), 'object-on-another-origin'],
    ['A010 hostile 49: attributed to another', noteBy(vera), 'attributed-to-another'],
    ['A010: attributed to another on the same host', noteBy(eve2), 'attributed-to-another'],
    ['A010: attributed to both', { ...noteBy(eve), attributedTo: [eve, vera] }, 'attributed-to-another'],
    ['hostile 52: an id of ours', noteBy(eve, 'https://local.example/users/alice/statuses/1'), 'object-is-ours'],
    ['A034: an address of ours', 'https://social.local.example/x', 'object-is-ours'],
    ['own address', `${eve}/notes/1`, 'origin'],
    ['hostile 105: an address on a third host', 'https://victim.example/notes/1', 'object-on-another-origin'],
    ['no id', { type: 'Note' }, 'object-without-id'],
  ])('%s', (_, object, outcome) => {
    expect(authorized(object)).toBe(outcome)
  })
})

describe('Update', () => {
  const authorized = (object: unknown, known: Partial<Parameters<typeof authorizeUpdate>[1]> = {}) => {
    const result = authorizeUpdate(activityOf('Update', { object }), {
      owner: null,
      suspended: false,
      ownHosts,
      ...known,
    })
    return result.ok ? result.from : result.reason
  }
  test.each([
    ['own profile', { id: eve, type: 'Person' }, {}, 'copy'],
    ['own profile by address', eve, {}, 'origin'],
    ['own note', noteBy(eve), { owner: eve }, 'copy'],
    ['own unknown note', noteBy(eve), {}, 'copy'],
    ['hostile 53: another profile', { id: vera, type: 'Person' }, {}, 'not-yours'],
    ['hostile 53: another profile on the same host', { id: eve2, type: 'Person' }, {}, 'not-yours'],
    ['A016: a note of another server', noteBy(eve, 'https://remote.example/notes/1'), {}, 'object-on-another-origin'],
    ['A016: a note of a neighbour', noteBy(eve), { owner: eve2 }, 'not-yours'],
    ['hostile 54: a changed author', noteBy(vera), { owner: eve }, 'attributed-to-another'],
    ['hostile 52: something of ours', noteBy(eve, 'https://local.example/s/1'), {}, 'object-is-ours'],
    ['A023: an unknown note, suspended', noteBy(eve), { suspended: true }, 'actor-is-suspended'],
    ['A023: a known note, suspended', noteBy(eve), { suspended: true, owner: eve }, 'copy'],
    ['own profile, suspended', { id: eve, type: 'Person' }, { suspended: true }, 'copy'],
  ])('%s', (_, object, known, outcome) => {
    expect(authorized(object, known)).toBe(outcome)
  })
})

describe('Delete', () => {
  const authorized = (object: unknown, known: Partial<Parameters<typeof authorizeDelete>[1]> = {}) => {
    const result = authorizeDelete(activityOf('Delete', { object }), { owner: null, isActor: false, ...known })
    return result.ok ? result.deletes : result.reason
  }
  test.each([
    ['itself', eve, { isActor: true }, 'actor'],
    ['own note', { id: `${eve}/1`, type: 'Tombstone' }, { owner: eve }, 'object'],
    ['own unknown note', `${eve}/1`, {}, 'object'],
    ['A017 hostile 55: a note of another server', 'https://remote.example/notes/1', { owner: vera }, 'not-yours'],
    ['hostile 55: an unknown one leaves no mark', 'https://remote.example/notes/1', {}, 'object-on-another-origin'],
    ['A017: a note of a neighbour', `${eve2}/1`, { owner: eve2 }, 'not-yours'],
    ['A017 hostile 56: a neighbour', eve2, { isActor: true }, 'not-yours'],
    ['A017: somebody elsewhere', vera, { isActor: true }, 'not-yours'],
    ['something of ours', 'https://local.example/s/1', { owner: alice }, 'not-yours'],
  ])('%s', (_, object, known, outcome) => {
    expect(authorized(object, known)).toBe(outcome)
  })
})

describe('Undo, Accept, Reject', () => {
  const follow = { id: `${eve}#f`, type: 'Follow', actor: eve, object: alice }
  test.each([
    ['own follow', follow, 'ok'],
    ['own follow by id', follow.id, 'ok'],
    ['own follow without id', { ...follow, id: undefined }, 'ok'],
    ['own follow with an id on this server', { ...follow, id: 'https://local.example/users/a#follow' }, 'ok'],
    ['own follow with the other scheme', { ...follow, id: `${eve.replace('https:', 'http:')}#f` }, 'ok'],
    [
      'own follow, only by an id with the other scheme',
      `${eve.replace('https:', 'http:')}#f`,
      'object-on-another-origin',
    ],
    ['hostile 57: the follow of another', { ...follow, actor: vera }, 'not-yours'],
    ['hostile 57: the follow of another, by id', 'https://remote.example/f/1', 'object-on-another-origin'],
    [
      'hostile 57: a foreign id under an own name',
      { ...follow, id: 'https://remote.example/f/1' },
      'object-on-another-origin',
    ],
  ])('Undo of %s', (_, object, outcome) => {
    expect(reason(authorizeUndo(activityOf('Undo', { object }), ownHosts))).toBe(outcome)
  })
  test.each([
    ['what it was asked', { to: eve }, 'ok'],
    ['A022 A024 hostile 58: what another was asked', { to: vera }, 'not-the-one-asked'],
    ['A022 hostile 59: what nobody was asked', null, 'never-asked'],
  ])('Accept and Reject of %s', (_, request, outcome) => {
    expect(reason(authorizeResponse(activityOf('Accept', { object: 'https://local.example/f/1' }), request))).toBe(
      outcome,
    )
    expect(reason(authorizeResponse(activityOf('Reject', { object: 'https://local.example/f/1' }), request))).toBe(
      outcome,
    )
  })
})

describe('Announce', () => {
  const authorized = (object: unknown) => {
    const result = authorizeAnnounce(activityOf('Announce', { object }), ownHosts)
    return result.ok ? `${result.from} ${result.uri}` : result.reason
  }
  const page = { id: 'https://remote.example/post/1', type: 'Page', attributedTo: vera }
  const create = { id: 'https://remote.example/c/1', type: 'Create', actor: vera, object: page }
  test.each([
    ['an address', page.id, `origin ${page.id}`],
    ['A018: a forged copy', noteBy(vera, page.id), `origin ${page.id}`],
    ['A018: a copy by a neighbour', noteBy(eve2), `origin ${eve}/notes/1`],
    ['A018: an own copy that names no author', { id: `${eve}/1`, type: 'Note' }, `origin ${eve}/1`],
    ['own copy', noteBy(eve), `copy ${eve}/notes/1`],
    ['one of ours', 'https://local.example/s/1', 'store https://local.example/s/1'],
    [
      'A034: a copy that claims to be ours',
      noteBy(eve, 'https://local.example/s/1'),
      'store https://local.example/s/1',
    ],
    ['hostile 71: a wrapped Create', create, `origin ${page.id}`],
    ['a wrapped Update', { ...create, type: 'Update' }, `origin ${page.id}`],
    ['a wrapped Like', { ...create, type: 'Like', object: page.id }, 'wrapped-activity'],
    ['a wrapped Delete by a moderator', { ...create, type: 'Delete', object: page.id }, 'wrapped-activity'],
  ])('%s', (_, object, outcome) => {
    expect(authorized(object)).toBe(outcome)
  })
})

describe('pins, blocks, reports, quotes', () => {
  const featured = uri(`${eve}/collections/featured`)
  const authorizedPin = (fields: object, owner: Uri | null = null) => {
    const result = authorizePin(activityOf('Add', { target: featured, ...fields }), { featured, owner })
    return result.ok ? result.pins : result.reason
  }
  test.each([
    ['own note', { object: `${eve}/1` }, eve, 'status'],
    ['own unknown note', { object: `${eve}/1` }, null, 'status'],
    ['a hashtag', { object: { type: 'Hashtag', name: '#x' } }, null, 'hashtag'],
    ['hostile 66: the note of another', { object: 'https://remote.example/1' }, null, 'not-yours'],
    ['hostile 66: the note of a neighbour', { object: `${eve2}/1` }, eve2, 'not-yours'],
    [
      'A027 hostile 66: to the pins of another',
      { target: `${alice}/collections/featured`, object: `${eve}/1` },
      eve,
      'foreign-target',
    ],
    ['something without id', { object: { type: 'Note' } }, null, 'object-without-id'],
  ])('Add %s', (_, fields, owner, outcome) => {
    expect(authorizedPin(fields, owner)).toBe(outcome)
  })
  test('without stored pins nothing is added', () => {
    expect(
      reason(authorizePin(activityOf('Remove', { target: featured, object: eve }), { featured: null, owner: null })),
    ).toBe('foreign-target')
  })
  test.each([
    ['one of ours', { object: alice }, 'ok'],
    ['somebody elsewhere', { object: vera }, 'not-about-us'],
    ['A027 hostile 70: a ban from a group', { object: alice, target: 'https://evil.example/c/cats' }, 'community-ban'],
  ])('Block of %s', (_, fields, outcome) => {
    expect(reason(authorizeBlock(activityOf('Block', fields), ownHosts))).toBe(outcome)
  })
  test.each([
    ['one of ours', { object: [alice] }, false, 'ok'],
    ['hostile 65: third parties', { object: [vera, 'https://remote.example/1'] }, false, 'not-about-us'],
    ['an answer to one of ours', { object: [vera, 'https://remote.example/1'] }, true, 'ok'],
  ])('Flag about %s', (_, fields, concernsUs, outcome) => {
    expect(reason(authorizeFlag(activityOf('Flag', fields), { concernsUs, ownHosts }))).toBe(outcome)
  })
  test('Like and Follow of what is not ours are dropped', () => {
    expect(reason(requireLocalObject(alice, ownHosts))).toBe('ok')
    expect(reason(requireLocalObject(vera, ownHosts))).toBe('not-about-us')
  })
  test.each([
    ['own note, one of ours', 'https://local.example/s/1', noteBy(eve), 'ok'],
    ['a foreign status', 'https://remote.example/1', noteBy(eve), 'not-about-us'],
    ['A019: the note of another', 'https://local.example/s/1', noteBy(vera), 'attributed-to-another'],
    [
      'a note elsewhere',
      'https://local.example/s/1',
      noteBy(eve, 'https://remote.example/1'),
      'object-on-another-origin',
    ],
  ])('QuoteRequest: %s', (_, object, instrument, outcome) => {
    expect(reason(authorizeQuoteRequest(activityOf('QuoteRequest', { object, instrument }), ownHosts))).toBe(outcome)
  })
})
