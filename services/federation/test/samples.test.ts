/** Takes every sample payload as far as pure code can judge it and compares the outcome with a table. */

import type { Activity } from '@murmuration/activitypub/vocabulary/activity'
import { audienceOf } from '@murmuration/activitypub/vocabulary/audience'
import type { Ref } from '@murmuration/activitypub/vocabulary/json'
import { parseDocument } from '@murmuration/activitypub/vocabulary/parse-document'
import { readActivity } from '@murmuration/activitypub/vocabulary/read-activity'
import { readActor } from '@murmuration/activitypub/vocabulary/read-actor'
import { readKeyDocument } from '@murmuration/activitypub/vocabulary/read-key'
import { readNote, voteOf } from '@murmuration/activitypub/vocabulary/read-note'
import { readQuoteAuthorization } from '@murmuration/activitypub/vocabulary/read-quote'
import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { describe, expect, test } from 'vitest'
import { authorizeSender } from '../src/core/activity/authority.rules.js'
import { moveFault } from '../src/inbox/move.rules.js'
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
} from '../src/inbox/object-authority.rules.js'
import { reblogFault } from '../src/inbox/reblog.rules.js'
import { harness, sampleBytes, sampleNames, sampleSigner } from './samples.js'

const { ownHosts } = harness
const ownerOf = (uri: Uri | null) => harness.owners.get(uri ?? '') ?? null

/** Values from the fixture that the rules need. */
const authorize = (activity: Activity) => {
  switch (activity.type) {
    case 'Create':
      return authorizeCreate(activity, activity.objects[0] as Ref, ownHosts)
    case 'Update':
      return authorizeUpdate(activity, { owner: ownerOf(activity.object.id), suspended: false, ownHosts })
    case 'Delete':
      return authorizeDelete(activity, {
        owner: ownerOf(activity.object.id),
        isActor: harness.actors.has(activity.object.id ?? ''),
      })
    case 'Undo':
      return authorizeUndo(activity, ownHosts)
    case 'Accept':
    case 'Reject': {
      const to = harness.requests.get(activity.object.id ?? '')
      return authorizeResponse(activity, to ? { to } : null)
    }
    case 'Announce': {
      const result = authorizeAnnounce(activity, ownHosts)
      const visibility = result.ok && result.from === 'store' ? harness.visibilities.get(result.uri) : undefined
      if (!result.ok || visibility === undefined) return result
      const author = harness.author
      const fault = reblogFault({ actor: activity.actor, author, visibility, isOurs: true, followed: false })
      return fault === null ? result : { ok: false as const, reason: fault }
    }
    case 'Add':
    case 'Remove':
      return authorizePin(activity, { featured: harness.featured, owner: ownerOf(activity.object.id) })
    case 'Block':
      return authorizeBlock(activity, ownHosts)
    case 'Flag':
      return authorizeFlag(activity, { concernsUs: false, ownHosts })
    case 'Follow':
    case 'Like':
      return requireLocalObject(activity.object, ownHosts)
    case 'QuoteRequest':
      return authorizeQuoteRequest(activity, ownHosts)
    case 'Move': {
      const fault = moveFault(activity, {
        now: 0,
        lastMove: null,
        target: harness.targets.get(activity.target) ?? null,
      })
      return fault === null ? { ok: true as const } : { ok: false as const, reason: fault }
    }
  }
}

/** One line about an embedded status: type, audience, and whether it is a vote. */
const describeNote = (node: unknown, activity: Activity): string => {
  const read = readNote(node, { around: activity })
  if (!read.ok) return `refused: ${read.reason}`
  const vote = voteOf(read.note)
  if (vote) return `vote for ${vote.option}`
  const { visibility, silent } = audienceOf(read.note.addressing, {
    followers: `${activity.actor}/followers` as Uri,
    isLocalAccount: (it) => harness.accounts.has(it),
    mentioned: new Set(read.note.mentions.map((it) => it.href ?? '')),
  })
  return `${read.note.kind} ${visibility}${silent.length > 0 ? ', silent' : ''}`
}

const describeActor = (document: unknown, isFetched: boolean): string => {
  const read = readActor(document, { fetched: isFetched })
  if (!read.ok) return `refused: ${read.reason}`
  return `${read.actor.kind} @${read.actor.handle.username}@${read.actor.handle.domain}`
}

const describeActivity = (document: unknown, signer: Uri): string => {
  const read = readActivity(document)
  if (!read.ok) return `refused: ${read.reason}`
  const { activity } = read
  const sender = authorizeSender(activity, { signer, proved: null, suspended: false, ownHosts })
  if (!sender.ok) return `refused: ${sender.reason}`
  const result = authorize(activity)
  if (!result?.ok) return `refused: ${result?.reason}`
  const from = 'from' in result ? ` from ${result.from}` : ''
  const detail = 'deletes' in result ? ` ${result.deletes}` : 'pins' in result ? ` ${result.pins}` : ''
  const isProfile = activity.type === 'Update' && activity.object.id === activity.actor
  const nodes = !('node' in result)
    ? []
    : activity.type === 'Create'
      ? activity.objects.map((it) => it.node)
      : [result.node]
  const texts = nodes.map((it) => (isProfile ? describeActor(it, false) : describeNote(it, activity)))
  const node = texts.length > 0 ? `: ${texts.join('; ')}` : ''
  return `${activity.type}${detail}${from}${node}`
}

const describeFetched = (name: string, document: unknown): string => {
  if (name === 'm28-quote-authorization-object') return readQuoteAuthorization(document) ? 'stamp' : 'no stamp'
  if (name === 'g03-gts-key-stub-object')
    return readKeyDocument(document, 'https://gts.example/users/gus/main-key') ? 'key' : 'no key'
  if (name === 't01-peertube-video-object') return describeNote(document, { actor: sampleSigner(name) } as Activity)
  const read = readActor(document, { fetched: true })
  return read.ok
    ? `${read.actor.kind} @${read.actor.handle.username}@${read.actor.handle.domain}`
    : `refused: ${read.reason}`
}

const fetched = new Set(
  ['b01', 'g03', 'h13', 'k04', 'l05', 'm28', 'm33', 't01'].map(
    (it) => sampleNames.find((name) => name.startsWith(it)) as string,
  ),
)

const outcomeOf = (name: string): string => {
  const parsed = parseDocument(sampleBytes(name))
  if (!parsed.ok) return `refused: ${parsed.reason}`
  return fetched.has(name)
    ? describeFetched(name, parsed.document)
    : describeActivity(parsed.document, sampleSigner(name))
}

/** Expected outcome of each sample by the pure rules. Further effects need a store. */
const outcomes: Record<string, string> = {
  'b01-bridge-actor': 'Person @sam.sky.example@bridge.example',
  'e01-mobilizon-event': 'Create from copy: Event public',
  'f01-friendica-create-comment': 'Create from copy: Note public',
  'g01-gts-note-scalars': 'Create from copy: Note public',
  'g02-gts-accept-reply': 'refused: never-asked',
  'g03-gts-key-stub-object': 'key',
  'g04-gts-multi-vote': 'Create from copy: vote for Red; vote for Blue',
  'h01-object-on-other-host': 'refused: object-on-another-origin',
  'h02-attributed-to-other': 'refused: attributed-to-another',
  'h03-actor-not-signer': 'refused: actor-is-not-signer',
  'h04-update-other-actor': 'refused: not-yours',
  'h05-delete-other-note': 'refused: not-yours',
  'h06-undo-follow-of-other': 'refused: not-yours',
  'h07-announce-of-private-local': 'refused: not-rebloggable',
  'h08-move-without-alias': 'refused: no-alias',
  'h09-move-other-account': 'refused: not-yours',
  'h10-prototype-keys': 'Create from copy: Note public',
  'h11-wrong-json-types': 'refused: bad-type',
  'h12-html-attack': 'Create from copy: Note public',
  'h13-actor-with-bad-urls': 'refused: bad-inbox',
  'h14-graph-document': 'refused: reshaped',
  'h15-quote-stamp-wrong-host': 'Create from copy: Note public',
  'h16-future-and-ancient-dates': 'Create from copy: Note public',
  'k01-create-note-quote': 'Create from copy: Note public',
  'k02-like-custom-emoji': 'Like',
  'k03-undo-like': 'Undo',
  'k04-person': 'Person @kate@misskey.example',
  'k05-announce-renote': 'Announce from store',
  'k06-flag-from-user': 'Flag',
  'k07-note-inlined-inreplyto': 'Create from copy: Note public',
  'l01-announce-create-page': 'Announce from origin',
  'l02-announce-page-direct': 'Announce from origin',
  'l03-announce-like': 'refused: wrapped-activity',
  'l04-dislike': 'refused: unsupported-type',
  'l05-group-actor': 'Group @cats@lemmy.example',
  'l06-announce-delete-by-moderator': 'refused: wrapped-activity',
  'l07-block-ban': 'refused: community-ban',
  'l08-comment-note': 'Create from copy: Note public',
  'm01-create-note-public': 'Create from copy: Note public',
  'm02-create-note-reply-mention-media': 'Create from copy: Note public',
  'm03-create-note-unlisted': 'Create from copy: Note unlisted',
  'm04-create-note-private': 'Create from copy: Note private',
  'm05-create-direct': 'Create from copy: Note direct',
  'm06-create-direct-addressed-not-mentioned': 'Create from copy: Note limited, silent',
  'm07-create-question': 'Create from copy: Question public',
  'm08-poll-vote': 'Create from copy: vote for Blue',
  'm09-update-note-edit': 'Update from copy: Note public',
  'm10-update-note-stale': 'Update from copy: Note public',
  'm11-update-poll-tally': 'Update from copy: Question public',
  'm12-delete-note': 'Delete object',
  'm13-delete-before-create': 'Delete object',
  'm14-delete-actor': 'Delete actor',
  'm15-announce': 'Announce from store',
  'm16-undo-announce': 'Undo',
  'm17-announce-own-private-inlined': 'Announce from copy: Note private',
  'm18-follow': 'Follow',
  'm19-undo-follow': 'Undo',
  'm20-accept-follow': 'Accept',
  'm21-accept-follow-by-uri': 'Accept',
  'm22-reject-follow': 'Reject',
  'm23-block': 'Block',
  'm24-move': 'Move',
  'm25-flag': 'Flag',
  'm26-quote-request': 'QuoteRequest from copy: Note public',
  'm27-create-quote-with-stamp': 'Create from copy: Note public',
  'm28-quote-authorization-object': 'stamp',
  'm29-delete-quote-authorization': 'Delete object',
  'm30-add-pin': 'Add status',
  'm31-add-featured-tag': 'Add hashtag',
  'm32-update-actor': 'Update from copy: Person @alice@masto.example',
  'm33-actor-suspended-object': 'Person @alice@masto.example',
  'n01-nodebb-article': 'Create from copy: Article public',
  'p01-create-note-loose': 'Create from copy: Note public',
  'p02-emoji-react': 'Like',
  'p03-undo-emoji-react-by-uri': 'Undo',
  'p04-chat-message': 'Create from copy: refused: unsupported-type',
  'p05-follow-with-state': 'Follow',
  'p06-note-anonymous-emoji': 'Create from copy: Note public',
  'p07-delete-with-string-object': 'Delete object',
  'r01-bookwyrm-review': 'Create from copy: refused: unsupported-type',
  's01-mention-without-name': 'Create from copy: Note public',
  't01-peertube-video-object': 'Video public',
  't02-peertube-announce': 'Announce from origin',
  'w01-wordpress-article': 'Create from copy: Article public',
  'w02-wordpress-group-announce-update': 'Announce from origin',
  'x01-pixelfed-note': 'Create from copy: Note public',
  'y01-relay-accept': 'Accept',
  'y02-relay-forwarded-create-unsigned': 'refused: actor-is-not-signer',
  'y03-relay-announce': 'Announce from origin',
  'y04-litepub-relay-follow': 'Follow',
}

/** Everything that was read of a sample, for the golden file. */
const contentsOf = (name: string): unknown => {
  const parsed = parseDocument(sampleBytes(name))
  if (!parsed.ok) return parsed
  const { document } = parsed
  if (fetched.has(name))
    return { actor: readActor(document), note: readNote(document), stamp: readQuoteAuthorization(document) }
  const read = readActivity(document)
  if (!read.ok) return { ...read, note: readNote((document as { object?: unknown }).object) }
  const { activity } = read
  const refs =
    activity.type === 'Create'
      ? activity.objects
      : 'object' in activity && typeof activity.object === 'object'
        ? [activity.object]
        : []
  const nodes = refs.map((it) => it.node).filter((it) => it !== null)
  return {
    activity: JSON.parse(
      JSON.stringify(activity, (key, value) => (key === 'node' && value !== null ? '(copy)' : value)),
    ),
    notes: nodes.map((it) => readNote(it, { around: activity })).filter((it) => it.ok),
    actors: nodes.map((it) => readActor(it)).filter((it) => it.ok),
  }
}

describe('samples', () => {
  test('I1-I22: every sample has an outcome and every outcome a sample', () => {
    expect(Object.keys(outcomes).sort()).toEqual(sampleNames)
    expect(sampleNames).toHaveLength(90)
  })
  test.each(sampleNames)('%s', (name) => {
    expect(outcomeOf(name)).toBe(outcomes[name])
  })
  test('golden: what is read of each', async () => {
    const contents = Object.fromEntries(sampleNames.map((name) => [name, contentsOf(name)]))
    await expect(`${JSON.stringify(contents, null, 2)}\n`).toMatchFileSnapshot('./fixtures/samples.golden.json')
  })
})
