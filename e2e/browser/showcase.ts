/** The picture of the README: an example profile in a wide light window and on a dark phone. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Product } from '@murmuration/testkit'
import type { BrowserContextOptions } from 'playwright-core'
import sharp from 'sharp'
import { createUser } from '../product.js'
import type { TestBrowser } from './chromium.js'

const png = async (svg: string): Promise<Blob> =>
  new Blob([new Uint8Array(await sharp(Buffer.from(svg)).png().toBuffer())], { type: 'image/png' })

const AVATAR = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="400" height="400" fill="#e9c46a"/>
<circle cx="200" cy="160" r="80" fill="#264653"/><circle cx="200" cy="420" r="170" fill="#264653"/></svg>`

/** SVG: hills in front of an evening sky, with a few birds. */
const LANDSCAPE = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="675"><defs>
<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#27496d"/><stop offset=".6" stop-color="#e58e73"/><stop offset="1" stop-color="#ffd6a5"/></linearGradient></defs>
<rect width="1200" height="675" fill="url(#sky)"/><circle cx="820" cy="430" r="70" fill="#fff1d0"/>
<path d="M0 520 Q300 380 620 500 T1200 450 V675 H0Z" fill="#3d405b"/><path d="M0 600 Q420 480 760 590 T1200 560 V675 H0Z" fill="#22223b"/>
<g fill="none" stroke="#22223b" stroke-width="5">${[...Array(14).keys()]
  .map((n) => `<path d="M${250 + n * 38} ${150 + ((n * 67) % 130)} q12 -14 24 0 q12 -14 24 0"/>`)
  .join('')}</g></svg>`

const makeProfile = async (product: Product): Promise<string> => {
  const [ines, omar, kai] = await Promise.all(['ines', 'omar', 'kai'].map((name) => createUser(product, name)))
  if (!ines || !omar || !kai) throw new Error('three accounts are needed')
  await ines.api.v1.accounts.updateCredentials({
    displayName: 'Ines Almeida',
    note: 'Field notes about birds, tides and slow trains. She/her. #birds #rail',
    avatar: await png(AVATAR),
    fieldsAttributes: [
      { name: 'Lives in', value: 'Aveiro' },
      { name: 'Binoculars', value: '8 × 42' },
    ],
  })
  await Promise.all([omar, kai].map(({ api }) => api.v1.accounts.$select(ines.id).follow()))
  const poll = { options: ['The marsh at dawn', 'The pier at dusk', 'Stay in, it will rain'], expiresIn: 86_400 }
  const { poll: made } = await ines.api.v1.statuses.create({ status: 'Where do we count this weekend?', poll })
  await Promise.all(
    [omar, kai].map(({ api }, n) => api.v1.polls.$select(made?.id ?? '').votes.create({ choices: [n] })),
  )
  const file = await png(LANDSCAPE)
  const media = await ines.api.v2.media.create({ file, description: 'Birds above hills in the evening' })
  const status =
    'About two thousand starlings over the lagoon tonight. The whole sky turned when the falcon came. #birds'
  const { id } = await ines.api.v1.statuses.create({ status, mediaIds: [media.id] })
  await Promise.all([omar, kai].map(({ api }) => api.v1.statuses.$select(id).favourite()))
  await omar.api.v1.statuses.$select(id).reblog()
  await kai.api.v1.statuses.create({ status: '@ines What a night to be out there!', inReplyToId: id })
  return '/@ines'
}

const shot = async (browser: TestBrowser, url: string, options: BrowserContextOptions): Promise<Buffer> => {
  const context = await browser.context(options)
  const page = await context.newPage()
  await page.goto(url, { waitUntil: 'networkidle' })
  const bytes = await page.screenshot()
  await context.close()
  return bytes
}

/** Takes the picture and writes it as WebP. Returns its size in bytes. */
export const takePicture = async (product: Product, browser: TestBrowser, path: string): Promise<number> => {
  const url = product.origin + (await makeProfile(product))
  const wide = await shot(browser, url, { viewport: { width: 1080, height: 1000 }, colorScheme: 'light' })
  const phone = await shot(browser, url, { viewport: { width: 390, height: 880 }, colorScheme: 'dark' })
  const picture = await sharp({ create: { width: 1560, height: 1000, channels: 3, background: '#cfd8dc' } })
    .composite([
      { input: wide, left: 0, top: 0 },
      { input: phone, left: 1125, top: 60 },
    ])
    .webp({ quality: 82 })
    .toBuffer()
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, picture)
  return picture.length
}
