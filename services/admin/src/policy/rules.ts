/** The policy for all services, as the entries of the bucket. */
import type { AccessChunk, DomainChunk, InstanceSettings, PolicyHead } from '@murmuration/contracts/admin'
import { errorText, fail } from '@murmuration/contracts/kit'
import { blockStamp, type DomainBlock } from '../core/domain-name.rules.js'
import { CHUNKS } from '../core/policy-size.rules.js'

/** Key of the head entry, which contains the number of the other entries and is written last. */
export const HEAD = 'settings'

/** Maximum bytes of an entry, below the limit of a bus message of 1 MB. */
const MAX_BYTES = 900_000

/**
 * Number of the chunk that contains a domain: its FNV-1a hash, which distributes domains evenly and is the same in
 * every process.
 */
const chunkOf = (domain: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < domain.length; i++) hash = Math.imul(hash ^ domain.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % CHUNKS
}

export interface PolicyState {
  revision: string
  settings: InstanceSettings
  blocks: readonly DomainBlock[]
  allows: readonly string[]
  access: AccessChunk
}

/** Maximum number of access rules of each kind in one entry. */
const ACCESS_AT_ONCE = 2_000

/** Access rules in chunks that fit into messages of the bus; empty without rules. */
const accessChunks = (access: AccessChunk): AccessChunk[] => {
  const max = Math.max(...Object.values(access).map((list) => list.length))
  return Array.from({ length: Math.ceil(max / ACCESS_AT_ONCE) }, (_, i) => {
    const [from, to] = [i * ACCESS_AT_ONCE, (i + 1) * ACCESS_AT_ONCE]
    return {
      ips: access.ips.slice(from, to),
      email_domains: access.email_domains.slice(from, to),
      canonical_emails: access.canonical_emails.slice(from, to),
      usernames: access.usernames.slice(from, to),
    }
  })
}

/** Entries of the policy bucket by key, in the order in which they must be written: all chunks, then the head. */
export const policyEntries = (state: PolicyState): Map<string, string> => {
  const some = state.blocks.length + state.allows.length > 0
  const chunks: DomainChunk[] = Array.from({ length: some ? CHUNKS : 0 }, () => ({ blocks: [], allows: [] }))
  for (const block of state.blocks)
    chunks[chunkOf(block.domain)]?.blocks.push({
      domain: block.domain,
      severity: block.severity,
      reject_media: block.reject_media,
      reject_reports: block.reject_reports,
      stamp: blockStamp(block),
    })
  for (const domain of state.allows) chunks[chunkOf(domain)]?.allows.push(domain)
  const rules = accessChunks(state.access)
  const head: PolicyHead = {
    settings: state.settings,
    chunks: chunks.length,
    ...(rules.length ? { access: rules.length } : {}),
    rev: state.revision,
  }
  const entries = new Map<string, string>(chunks.map((chunk, i) => [`domains.${i}`, JSON.stringify(chunk)] as const))
  for (const [i, chunk] of rules.entries()) entries.set(`access.${i}`, JSON.stringify(chunk))
  entries.set(HEAD, JSON.stringify(head))
  for (const [key, text] of entries)
    if (Buffer.byteLength(text) > MAX_BYTES)
      throw fail('too_large', errorText('The policy entry {key} is too large to publish', { key }))
  return entries
}
