/** Commands about servers that are allowed while federation is limited. */
import { domainAllowFind, domainAllowLift, domainAllowPlace } from '@murmuration/contracts/admin'
import type { AdminDomainAllow } from '@murmuration/contracts/entities'
import { type Command, needed } from './command.js'
import { pagesOf, readList, tableText } from './domain-list.js'
import type { Operator } from './operator.js'

const everyAllow = async (operator: Operator): Promise<AdminDomainAllow[]> => {
  const found: AdminDomainAllow[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page: { allows: AdminDomainAllow[]; next: string | null } = await operator.ask(domainAllowFind, { after })
    found.push(...page.allows)
    after = page.next
  }
  return found
}

const allow = async (operator: Operator, domains: readonly string[]) => {
  const results: { domain: string; outcome: string }[] = []
  for (const page of pagesOf(domains))
    results.push(...(await operator.ask(domainAllowPlace, { domains: page })).results)
  return { data: results, text: results.map((one) => `${one.domain}  ${one.outcome}`).join('\n') }
}

export const domainAllowCommands: Command[] = [
  {
    name: 'domain-allow list',
    usage: 'domain-allow list',
    about: 'allowed servers, by domain',
    async run(operator) {
      const allows = await everyAllow(operator)
      return { data: allows, text: allows.map((one) => one.domain).join('\n') || 'There are none.' }
    },
  },
  {
    name: 'domain-allow add',
    usage: 'domain-allow add DOMAIN…',
    about: 'allows servers; it matters while LIMITED_FEDERATION_MODE is on',
    run: (operator, [domain, ...more]) => allow(operator, [needed(domain, 'DOMAIN'), ...more]),
  },
  {
    name: 'domain-allow remove',
    usage: 'domain-allow remove DOMAIN',
    about: 'no longer allows a server; while federation is limited, its accounts are suspended',
    async run(operator, [domain]) {
      await operator.ask(domainAllowLift, { domain: needed(domain, 'DOMAIN') })
      return { data: {}, text: 'Removed.' }
    },
  },
  {
    name: 'domain-allow export',
    usage: 'domain-allow export',
    about: 'prints the list as other servers read it (CSV)',
    async run(operator) {
      const rows = [['#domain'], ...(await everyAllow(operator)).map((one) => [one.domain])]
      return { data: rows, text: tableText(rows) }
    },
  },
  {
    name: 'domain-allow import',
    usage: 'domain-allow import FILE',
    about: 'allows every server that a list names (CSV, - is the input)',
    async run(operator, [file]) {
      const { columns, rows } = readList(needed(file, 'FILE'))
      const at = Math.max(0, columns?.findIndex((name) => name.trim().toLowerCase() === '#domain') ?? 0)
      const domains = rows.map((row) => row[at]?.trim() ?? '').filter((domain) => domain !== '')
      return allow(operator, domains)
    },
  },
]
