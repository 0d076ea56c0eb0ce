/**
 * Limit of the scenario `delivery`: a program that only signs in the thread pool of libuv, and POSTs over persistent
 * connections.
 */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { Agent, request } from 'undici'
import { runPlans } from '../lib/limit-work.js'

const [bytes = '1500', ...inboxes] = process.argv.slice(2)
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const body = Buffer.from(JSON.stringify({ content: 'x'.repeat(Number(bytes)) }))
const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`
const signAsync = promisify(sign)
// The same number of connections per host as in the product.
const dispatcher = new Agent({ connections: 2 })

runPlans(async (i) => {
  const url = new URL(inboxes[i % inboxes.length] ?? '')
  const date = new Date().toUTCString()
  const base = `(request-target): post ${url.pathname}\nhost: ${url.host}\ndate: ${date}\ndigest: ${digest}`
  const signature = (await signAsync('sha256', Buffer.from(base), privateKey)).toString('base64')
  const { body: response } = await request(url, {
    dispatcher,
    method: 'POST',
    headers: {
      date,
      digest,
      'content-type': 'application/activity+json',
      signature: `keyId="https://bench.example/actor#main-key",algorithm="rsa-sha256",headers="(request-target) host date digest",signature="${signature}"`,
    },
    body,
  })
  await response.dump()
})
