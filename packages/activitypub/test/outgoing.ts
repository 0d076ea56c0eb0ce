/** A local account and a local status with most optional fields set. Tests write ActivityPub documents from them. */

import { addressingFor } from '../src/vocabulary/audience.js'
import type { ActorSource } from '../src/vocabulary/write-actor.js'
import { everybody, type NoteSource } from '../src/vocabulary/write-note.js'

export const web = 'https://social.local.example'
export const ada = `${web}/users/ada`
export const vera = 'https://remote.example/users/vera'
export const emoji = {
  uri: `${web}/emojis/1`,
  shortcode: 'wave',
  url: `${web}/e.png`,
  mediaType: 'image/png',
  updatedAt: '2026-05-01T10:00:00Z',
}

export const actor: ActorSource = {
  uri: ada,
  kind: 'Person',
  username: 'ada',
  handleDomain: 'local.example',
  url: `${web}/@ada`,
  sharedInbox: `${web}/inbox`,
  publicKeyPem: '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
  ed25519: { uri: `${ada}#ed25519-key`, publicKeyMultibase: 'z6Mk' },
  publishedAt: '2026-05-01T10:11:12.131Z',
  locked: true,
  discoverable: true,
  indexable: true,
  memorial: false,
  showFeatured: true,
  showMedia: false,
  showRepliesInMedia: true,
  suspended: false,
  displayName: 'Ada :wave:',
  bio: '<p>bio</p>',
  fields: [{ name: 'Web', value: '<a href="https://ada.example" rel="me">ada</a>' }],
  avatar: { url: `${web}/a.png`, mediaType: 'image/png', description: 'portrait' },
  header: { url: `${web}/h.png`, mediaType: 'image/png', description: null },
  emojis: [emoji],
  featuredTags: [{ name: 'cats', url: `${web}/tags/cats` }],
  movedTo: null,
  aliases: ['https://old.example/users/ada'],
  attributionDomains: ['ada.example'],
}

export const addressing = addressingFor('public', { followers: `${ada}/followers`, mentioned: [vera] })

export const note: NoteSource = {
  uri: `${ada}/statuses/1`,
  url: `${web}/@ada/1`,
  authorUri: ada,
  html: '<p>hello</p>',
  language: 'en',
  warning: 'careful',
  sensitive: true,
  publishedAt: '2026-05-01T10:11:12.131Z',
  editedAt: null,
  inReplyTo: 'https://remote.example/1',
  conversation: `${web}/contexts/1`,
  ...addressing,
  mentions: [{ uri: vera, handle: 'vera@remote.example' }],
  hashtags: [{ name: 'test', url: `${web}/tags/test` }],
  emojis: [emoji],
  attachments: [
    {
      url: `${web}/m.jpg`,
      mediaType: 'image/jpeg',
      description: 'alt',
      blurhash: 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
      focus: { x: -0.5, y: 0.5 },
      width: 10,
      height: 20,
    },
  ],
  link: 'https://news.example/cat',
  poll: null,
  quote: null,
  mayQuote: everybody,
  approvedBy: null,
  counts: { likes: 1, shares: 2 },
  ownReplies: [`${ada}/statuses/2`],
  moreReplies: false,
}
