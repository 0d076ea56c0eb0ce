/** Reads the sample payloads under fixtures/samples and says what is known on our side when each of them arrives. */

import { readdirSync, readFileSync } from 'node:fs'
import type { Uri } from '@murmuration/activitypub/vocabulary/uri'

const folder = new URL('./fixtures/samples/', import.meta.url)

/** File names without `.json`, in order. */
export const sampleNames: readonly string[] = readdirSync(folder)
  .filter((it) => it.endsWith('.json'))
  .map((it) => it.replace(/\.json$/, ''))
  .sort()

/** The body of the request. */
export const sampleBytes = (name: string): Uint8Array => readFileSync(new URL(`${name}.json`, folder))

const uri = (text: string) => text as Uri

/** People who sign, by the prefix of the samples they deliver; a few samples name their own. */
const signerOf: Record<string, string> = {
  m: 'https://masto.example/users/alice',
  k: 'https://misskey.example/users/9abc',
  p: 'https://pleroma.example/users/pete',
  p06: 'https://akkoma.example/users/aki',
  l: 'https://lemmy.example/c/cats',
  l04: 'https://lemmy.example/u/lea',
  l07: 'https://lemmy.example/u/mod',
  l08: 'https://lemmy.example/u/lea',
  t: 'https://tube.example/video-channels/vic_channel',
  x: 'https://pix.example/users/pia',
  w: 'https://wp.example/?author=1',
  w02: 'https://wp.example/@blog',
  f: 'https://friendica.example/profile/fred',
  g: 'https://gts.example/users/gus',
  r: 'https://book.example/user/bea',
  e: 'https://events.example/@group',
  n: 'https://forum.example/uid/1',
  s: 'https://friends.example/users/1',
  h: 'https://evil.example/users/mallory',
  y: 'https://relay.example/actor',
  y04: 'https://pleroma.example/relay',
  m25: 'https://masto.example/actor',
  m29: 'https://third.example/users/tom',
  k06: 'https://misskey.example/users/sys',
}

/** The owner of the key that signed the delivery of this sample. */
export const sampleSigner = (name: string): Uri =>
  uri((signerOf[name.slice(0, 3)] ?? signerOf[name.slice(0, 1)]) as string)

/** The local fixture: hosts, accounts, stored objects with their owners, and sent requests. */
export const harness = {
  ownHosts: new Set(['local.example']),
  accounts: new Set(['https://local.example/users/bob', 'https://local.example/users/carol']),
  owners: new Map<string, Uri>(
    [
      ['https://masto.example/users/alice/statuses/1', 'https://masto.example/users/alice'],
      ['https://masto.example/users/alice/statuses/7', 'https://masto.example/users/alice'],
      ['https://pleroma.example/objects/1', 'https://pleroma.example/users/pete'],
      ['https://third.example/stamps/1', 'https://third.example/users/tom'],
    ].map(([id, owner]) => [id as string, uri(owner as string)]),
  ),
  /** Statuses of bob, who is `author`. */
  author: uri('https://local.example/users/bob'),
  visibilities: new Map([
    ['https://local.example/users/bob/statuses/99', 'public' as const],
    ['https://local.example/users/bob/statuses/101', 'private' as const],
  ]),
  actors: new Set(['https://masto.example/users/alice']),
  requests: new Map<string, Uri>([
    ['https://local.example/f/1', uri('https://masto.example/users/alice')],
    ['https://local.example/payloads/1', uri('https://relay.example/actor')],
  ]),
  featured: uri('https://masto.example/users/alice/collections/featured'),
  /** Accounts that a Move may lead to. */
  targets: new Map([
    [
      'https://new.example/users/alice',
      {
        uri: uri('https://new.example/users/alice'),
        aliases: [uri('https://masto.example/users/alice')],
        movedTo: null,
        suspended: false,
      },
    ],
    [
      'https://masto.example/users/alice',
      { uri: uri('https://masto.example/users/alice'), aliases: [], movedTo: null, suspended: false },
    ],
  ]),
} as const
