/** Remote statuses as federation sends them, each with its own address. */
import type { FetchedNote } from '@murmuration/contracts/federation'
import type { RemoteStatus } from '@murmuration/contracts/statuses'

let n = 0

/** A public note with plain text, one minute old. */
const plain = (words: string) => ({
  html: `<p>${words}</p>`,
  spoiler_text: '',
  sensitive: false,
  language: null,
  visibility: 'public' as const,
  published: new Date(Date.now() - 60_000).toISOString(),
  edited_at: null,
  in_reply_to: null,
  conversation: null,
  tags: [],
  emojis: [],
  attachments: [],
  poll: null,
  quote: null,
  quote_policy: { automatic: [], manual: [] },
})

/** A note of `author` on far.example for storing. */
export const remoteStatus = (author: { id: string }, more: Partial<RemoteStatus> = {}): RemoteStatus => ({
  ...plain(`note ${++n}`),
  uri: `https://far.example/notes/${n}`,
  url: `https://far.example/@dan/${n}`,
  author: author.id,
  mentions: [],
  push: true,
  ...more,
})

/** A note of `author` as fetched at its address. */
export const fetchedNote = (author: { uri: string }, uri: string, more: Partial<FetchedNote> = {}): FetchedNote => ({
  ...plain('from elsewhere'),
  uri,
  url: null,
  authorUri: author.uri,
  mentionUris: [],
  ...more,
})
