/** Servers of the operator's own: an address that is wrong, or where nobody answers, stops the start with one sentence. */
import { connect } from 'node:net'
import { refusal } from './say.mjs'

const answersWithin = 5_000

/** What each variable may name, and the port when it names none. */
const kinds = {
  DATABASE_URL: { server: 'PostgreSQL', schemes: ['postgres:', 'postgresql:'], port: 5432 },
  NATS_URL: { server: 'NATS', schemes: ['nats:', 'tls:'], port: 4222 },
  REDIS_URL: { server: 'Redis', schemes: ['redis:', 'rediss:'], port: 6379 },
}

/**
 * Looks at DATABASE_URL, NATS_URL and REDIS_URL, as far as they are set.
 * @param {Record<string, string | undefined>} env
 */
export async function lookElsewhere(env) {
  const given = Object.keys(kinds).filter((name) => env[name])
  for (const sentence of await Promise.all(given.map((name) => problemOf(name, env[name])))) {
    if (sentence) throw refusal(sentence)
  }
}

/** Of several servers one is enough. A socket in the file system is left to the client. */
async function problemOf(name, value) {
  const { server, schemes, port } = kinds[name]
  const urls = value.split(',').map((one) => (URL.canParse(one) ? new URL(one) : null))
  if (urls.some((url) => url === null || !schemes.includes(url.protocol))) {
    return `${name} is no address of ${server}: it must begin with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}.`
  }
  const hosts = urls.map((url) => ({ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || port }))
  if (hosts.some(({ host }) => host === '')) return null
  if ((await Promise.all(hosts.map(answers))).includes(true)) return null
  const where = hosts.map(({ host, port }) => `${host}:${port}`).join(', ')
  return `${server} does not answer at ${name} (${where}): start it there, or leave ${name} out to have one brought up.`
}

const answers = (place) =>
  new Promise((answer) => {
    const socket = connect({ ...place, timeout: answersWithin })
    const end = (reached) => {
      socket.destroy()
      answer(reached)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
