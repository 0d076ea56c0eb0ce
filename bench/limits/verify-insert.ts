/**
 * Limit of the scenario `inbox`: a small process that only verifies the signature of a request and stores it with one
 * fsynced insert.
 */
import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import pg from 'pg'
import { runPlans } from '../lib/limit-work.js'

const [databaseUrl = '', bytes = '1500', connections = '16'] = process.argv.slice(2)
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const key = createPublicKey(publicKey.export({ type: 'spki', format: 'pem' }))
const body = Buffer.from(JSON.stringify({ content: 'x'.repeat(Number(bytes)) }))
const baseOf = (digest: string) =>
  Buffer.from(`(request-target): post /inbox\nhost: bench.example\ndate: today\ndigest: SHA-256=${digest}`)
const digestOf = () => createHash('sha256').update(body).digest('base64')
const signature = sign('sha256', baseOf(digestOf()), privateKey)

const pool = new pg.Pool({ connectionString: databaseUrl, max: Number(connections) })
await pool.query('create schema if not exists bench')
await pool.query('create table if not exists bench.activities (id bigserial primary key, body text)')

runPlans(async () => {
  if (!verify('sha256', baseOf(digestOf()), key, signature)) throw new Error('the signature is invalid')
  await pool.query({ name: 'i', text: 'insert into bench.activities (body) values ($1)', values: [String(body)] })
})
