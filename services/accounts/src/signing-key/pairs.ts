/** Generates RSA key pairs in libuv's thread pool, with a few in reserve so that callers do not wait. */
import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'

export interface KeyPair {
  publicPem: string
  privatePem: string
}
export interface KeyPairs {
  take(): Promise<KeyPair>
}

const generate = promisify(generateKeyPair)

const make = async (): Promise<KeyPair> => {
  const { publicKey, privateKey } = await generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { publicPem: publicKey, privatePem: privateKey }
}

/** Creates a generator of key pairs. The reserve is filled only after the first call, because many processes never need a key. */
export const createKeyPairs = (options: {
  spare: number
  log: { warn(data: object, text: string): void }
}): KeyPairs => {
  const ready: KeyPair[] = []
  let filling = false
  const fill = async () => {
    while (ready.length < options.spare) ready.push(await make())
  }
  const refill = () => {
    if (filling) return
    filling = true
    fill()
      .catch((error) => options.log.warn({ error }, 'no key pair could be generated for the reserve'))
      .finally(() => {
        filling = false
      })
  }
  return {
    async take() {
      const pair = ready.shift() ?? (await make())
      refill()
      return pair
    },
  }
}
