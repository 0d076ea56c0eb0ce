/** Fixtures of the browser tests: e-mails, one-time codes, and an account whose statuses show every part of a page. */
import { createHmac } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Product } from '@murmuration/testkit'
import type { mastodon } from 'masto'
import sharp from 'sharp'
import { expect } from 'vitest'
import { createUser } from '../product.js'

/** Text of the newest e-mail to this address; empty without one. Reads MAIL_DIR, to which e-mails are written without a mail server. */
export const mailTo = async (product: Product, address: string): Promise<string> => {
  const dir = product.env.MAIL_DIR ?? ''
  const files = (await readdir(dir).catch(() => [])).sort().reverse()
  for (const file of files) {
    const text = await readFile(join(dir, file), 'utf8')
    if (text.startsWith(`To: ${address}\n`)) return text
  }
  return ''
}

/** The one-time code (RFC 6238) of a secret in base 32, `steps` intervals of 30 seconds from now. */
export const codeOf = (secret: string, steps = 0): string => {
  const bits = [...secret.replace(/\s/g, '')]
    .map((one) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps))
  const mac = createHmac('sha1', key).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

const picture = async (background: string): Promise<Blob> => {
  const bytes = await sharp({ create: { width: 1200, height: 800, channels: 3, background } })
    .jpeg()
    .toBuffer()
  return new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' })
}

export interface Author {
  readonly username: string
  readonly thread: mastodon.v1.Status
  readonly quote: mastodon.v1.Status
}

/** Creates an account with long names and words, and statuses with media, a poll, a warning, a quote and a reply. */
export const makeAuthor = async (product: Product): Promise<Author> => {
  const username = 'magdalena_von_hohenstein_1234'
  const { api } = await createUser(product, username)
  await api.v1.accounts.updateCredentials({
    displayName: 'Magdalena von Hohenstein',
    note: 'Birds, trains and long words: Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft. #photo',
    fieldsAttributes: [{ name: 'Website', value: 'a-long-path/'.repeat(12) }],
  })
  const media = await api.v2.media.create({ file: await picture('#2f6f73'), description: 'A green surface' })
  const thread = await api.v1.statuses.create({
    status: `Starlings over the harbour this evening. #photo\n\nhttps://example.org/${'starlings-'.repeat(14)}`,
    mediaIds: [media.id],
  })
  await api.v1.statuses.create({ status: 'W'.repeat(200), inReplyToId: thread.id })
  const quote = await api.v1.statuses.create({ status: 'Quoted for its picture.', quotedStatusId: thread.id })
  await api.v1.statuses.create({ status: 'The plot twist.', spoilerText: 'A film that is still new', sensitive: true })
  await api.v1.statuses.create({
    status: 'Which bird is it?',
    poll: { options: ['A starling', 'A blackbird', `A ${'very '.repeat(7)}rare bird`], expiresIn: 86_400 },
  })
  // The fetches of linked pages may be retried later, so they are not awaited.
  const hashtag = () => fetch(`${product.origin}/@${username}/tagged/photo`).then((response) => response.status)
  await expect.poll(hashtag).toBe(200)
  return { username, thread, quote }
}
