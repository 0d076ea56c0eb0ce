/** Reads the structured data of a page (schema.org as JSON-LD), for preview cards. */

/** Metadata of the first article or page in the data. Metadata that the page lacks are null. */
export type StructuredData = {
  isArticle: boolean
  title: string | null
  description: string | null
  language: string | null
  image: string | null
  author: { name: string; url: string | null } | null
  publisher: string | null
  publishedAt: string | null
}

type Node = Record<string, unknown>

const NOTHING: StructuredData = {
  isArticle: false,
  title: null,
  description: null,
  language: null,
  image: null,
  author: null,
  publisher: null,
  publishedAt: null,
}

const ARTICLE = /^(?:\w{0,40}Article|BlogPosting|Report)$/
const PAGE = /^(?:WebPage|VideoObject|AudioObject|Recipe|Book|Movie|Event)$/
const MAX_NODES = 50

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value])
const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null)
const typesOf = (node: Node): unknown[] => listOf(node['@type'])
const hasType = (node: Node, pattern: RegExp): boolean =>
  typesOf(node).some((type) => typeof type === 'string' && pattern.test(type))

const nodesIn = (script: string): Node[] => {
  try {
    const parsed: unknown = JSON.parse(script)
    return listOf(parsed)
      .flatMap((one) => (isNode(one) && Array.isArray(one['@graph']) ? one['@graph'] : [one]))
      .filter(isNode)
      .slice(0, MAX_NODES)
  } catch {
    // Structured data with invalid JSON are ignored, because other data of the page may be valid.
    return []
  }
}

/**
 * Name or address in a value. The value is a text, an object, or a list of texts and objects, of which the first is
 * used.
 */
const inside = (value: unknown, name: 'name' | 'url'): string | null => {
  const [first] = listOf(value)
  if (isNode(first)) return text(listOf(first[name])[0])
  return text(first)
}

const authorOf = (value: unknown): StructuredData['author'] => {
  const name = inside(value, 'name')
  const [first] = listOf(value)
  return name === null ? null : { name, url: isNode(first) ? text(listOf(first.url)[0]) : null }
}

/** Metadata in the scripts of a page, from the first article, or else the first page. Parsing invalid scripts never throws. */
export const structuredData = (scripts: readonly string[]): StructuredData => {
  const nodes = scripts.flatMap(nodesIn)
  const article = nodes.find((node) => hasType(node, ARTICLE))
  const node = article ?? nodes.find((one) => hasType(one, PAGE))
  if (!node) return NOTHING
  return {
    isArticle: article !== undefined,
    title: text(node.headline) ?? text(node.name),
    description: text(node.description),
    language: text(node.inLanguage),
    image: inside(node.image, 'url'),
    author: authorOf(node.author),
    publisher: inside(node.publisher, 'name'),
    publishedAt: text(node.datePublished),
  }
}
