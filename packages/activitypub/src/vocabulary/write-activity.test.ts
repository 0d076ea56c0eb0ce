/** Outgoing activities follow the rules of the strictest servers, and are parsed back. */

import { describe, expect, test } from 'vitest'
import { actor, ada, addressing, note, vera, web } from '../../test/outgoing.js'
import { activityStreams } from './context.js'
import { readActivity } from './read-activity.js'
import { readNote, voteOf } from './read-note.js'
import { hostOf } from './uri.js'
import * as activities from './write-activity.js'
import { writeActor } from './write-actor.js'
import { everybody } from './write-note.js'

const addressed = { id: `${ada}#activities/1`, actor: ada, object: vera }
const follow = activities.writeFollow(addressed)
const received = { id: 'https://remote.example/f/1', actor: vera, object: ada }
const pin = { id: `${ada}#pins/1`, actor: ada, featured: `${ada}/collections/featured`, followers: `${ada}/followers` }

const ours: Record<string, activities.OutgoingActivity> = {
  Create: activities.writeCreate(note),
  'Update of a note': activities.writeUpdateOfNote(
    { ...note, editedAt: '2026-05-01T11:00:00Z' },
    '2026-05-01T11:00:00Z',
  ),
  'Update of an actor': activities.writeUpdateOfActor(writeActor(actor), '2026-05-01T11:00:00Z'),
  'Delete of a note': activities.writeDeleteOfNote({ uri: note.uri, actor: ada }),
  'Delete of an actor': activities.writeDeleteOfActor(ada),
  Announce: activities.writeAnnounce({
    uri: `${ada}/statuses/2`,
    actor: ada,
    object: `${vera}/1`,
    publishedAt: note.publishedAt,
    ...addressing,
  }),
  Follow: follow,
  Block: activities.writeBlock(addressed),
  Like: activities.writeLike({ ...addressed, object: `${vera}/1`, author: vera }),
  Accept: activities.writeAccept({ id: `${ada}#accepts/1`, actor: ada, follow: received }),
  Reject: activities.writeReject({ id: `${ada}#rejects/1`, actor: ada, follow: { ...received, id: null } }),
  Undo: activities.writeUndo(follow),
  Flag: activities.writeFlag({
    id: `${web}/flags/1`,
    actor: `${web}/actor`,
    objects: [vera, `${vera}/1`],
    comment: 'spam',
  }),
  'Add of a note': activities.writeAdd({ ...pin, object: note.uri }),
  'Add of a hashtag': activities.writeAdd({ ...pin, object: { name: 'cats', url: `${web}/tags/cats` } }),
  Remove: activities.writeRemove({ ...pin, object: note.uri }),
  Move: activities.writeMove({
    id: `${ada}#moves/1`,
    actor: ada,
    target: 'https://new.example/users/ada',
    followers: `${ada}/followers`,
  }),
  Vote: activities.writeVote({ id: `${ada}#votes/1`, actor: ada, poll: `${vera}/poll`, author: vera, option: 'Blue' }),
}

/** All nodes in a document. */
const nodesIn = (value: unknown): Record<string, unknown>[] => {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([key, it]) => (key === '@context' ? [] : nodesIn(it)))
  return Array.isArray(value) ? inside : [value as Record<string, unknown>, ...inside]
}

const lists = ['to', 'cc', 'tag', 'attachment']
const termsOf = (document: { '@context': readonly unknown[] }) =>
  new Set(document['@context'].flatMap((it) => (typeof it === 'object' ? Object.keys(it as object) : [])))
/** Terms outside ActivityStreams, which the context must define. */
const extensions =
  /^(?:sensitive|atomUri|inReplyToAtomUri|conversation|quote.*|_misskey_quote|interactionPolicy|canQuote|automaticApproval|blurhash|focalPoint|votersCount|manuallyApprovesFollowers|discoverable|indexable|memorial|suspended|showFeatured|showMedia|showRepliesInMedia|featured|featuredTags|movedTo|alsoKnownAs|attributionDomains|value)$/

describe.each(Object.entries(ours))('%s', (_, activity) => {
  test('O1 O2 O3 O4 O19: id, type, lists, context, size', () => {
    expect(hostOf(activity.id)).toBe(hostOf(activity.actor))
    expect(activity['@context'][0]).toBe(activityStreams)
    for (const node of nodesIn(activity)) {
      if ('type' in node) expect(typeof node.type).toBe('string')
      for (const name of lists) if (name in node) expect(Array.isArray(node[name])).toBe(true)
      const names = Object.keys(node).filter((it) => extensions.test(it))
      expect(names.filter((it) => !termsOf(activity).has(it))).toEqual([])
    }
    expect(JSON.stringify(activity)).not.toContain('as:Public')
    expect(JSON.stringify(activity).length).toBeLessThan(65_536)
  })
  test('is parsed back', () => {
    expect(readActivity(JSON.parse(JSON.stringify(activity)))).toMatchObject({
      ok: true,
      activity: { id: activity.id, actor: activity.actor, type: activity.type },
    })
  })
})

test('O20: an Undo contains the whole activity', () => {
  const { '@context': _, ...whole } = follow
  expect(ours.Undo).toMatchObject({ id: `${follow.id}/undo`, object: whole })
  expect(activities.writeUndo(ours.Announce!).id).toBe(`${ada}/statuses/2/activity#undo`)
})

test('O21: Accept and Reject contain the Follow as received', () => {
  expect(ours.Accept?.object).toEqual({ ...received, type: 'Follow' })
  expect(ours.Reject?.object).toEqual({ type: 'Follow', actor: vera, object: ada })
})

test('O23: a Delete contains a Tombstone and is public', () => {
  expect(ours['Delete of a note']).toMatchObject({
    object: { id: note.uri, type: 'Tombstone', atomUri: note.uri },
    to: everybody,
  })
})

test('two Updates of the same status have different ids', () => {
  const [one, two] = ['2026-05-01T11:00:00.001Z', '2026-05-01T11:00:00.002Z'].map(
    (at) => activities.writeUpdateOfNote(note, at).id,
  )
  expect(one).not.toBe(two)
})

test('O24: a vote has a name and no content', () => {
  const read = readNote(JSON.parse(JSON.stringify(ours.Vote?.object)))
  expect(read.ok && voteOf(read.note)).toEqual({ poll: `${vera}/poll`, option: 'Blue' })
})
