/**
 * Search for many phrases with one automaton (Aho and Corasick, 1975), which reads a text once for any number of
 * phrases.
 */

/** A phrase to search, with folded case like the text that is searched. `wholeWord`: a match must not be within a word. */
export type Phrase = { text: string; wholeWord: boolean }

/** Kinds of phrases: found anywhere, or only as whole words. */
export type Kind = 'loose' | 'whole'

/**
 * The automaton. Node 0 is the start. Each node stands for the longest prefix of a phrase that ends at the current
 * offset.
 */
export type Phrases = {
  /** Returns the node of the automaton that follows `node` when one UTF-16 unit is read. */
  step: (node: number, code: number) => number
  /** Length of the prefix of a phrase that a node represents. */
  depth: (node: number) => number
  /** Node of the longest phrase of a kind that ends at this node; 0 if none. */
  longest: (kind: Kind, node: number) => number
  /** Node of the next shorter phrase of a kind that ends at the same offset; 0 if none. */
  shorter: (kind: Kind, node: number) => number
  /** Index, in the list of phrases, of the phrase of a kind that a node represents. */
  phraseAt: (kind: Kind, node: number) => number
}

type Node = { depth: number; fail: number; phrase: Record<Kind, number>; shorter: Record<Kind, number> }

const NONE = -1
const newNode = (depth: number): Node => ({
  depth,
  fail: 0,
  phrase: { loose: NONE, whole: NONE },
  shorter: { loose: 0, whole: 0 },
})

/** Builds the automaton, in time linear in the phrases. Empty and repeated phrases are omitted. */
export function buildPhrases(phrases: readonly Phrase[]): Phrases {
  const nodes: Node[] = [newNode(0)]
  const edges = new Map<number, number>()
  const edge = (node: number, code: number) => edges.get(node * 0x10000 + code)
  const parents: { parent: number; code: number }[] = [{ parent: 0, code: 0 }]

  const child = (node: number, code: number): number => {
    const known = edge(node, code)
    if (known !== undefined) return known
    const made = nodes.push(newNode(nodes[node]!.depth + 1)) - 1
    parents.push({ parent: node, code })
    edges.set(node * 0x10000 + code, made)
    return made
  }
  const step = (from: number, code: number): number => {
    for (let node = from; ; node = nodes[node]!.fail) {
      const next = edge(node, code)
      if (next !== undefined) return next
      if (node === 0) return 0
    }
  }
  const longest = (kind: Kind, node: number): number =>
    nodes[node]!.phrase[kind] === NONE ? nodes[node]!.shorter[kind] : node

  phrases.forEach(({ text, wholeWord }, index) => {
    let node = 0
    for (let at = 0; at < text.length; at++) node = child(node, text.charCodeAt(at))
    const { phrase } = nodes[node]!
    const kind = wholeWord ? 'whole' : 'loose'
    if (node !== 0 && phrase[kind] === NONE) phrase[kind] = index
  })
  for (const number of byDepth(nodes)) {
    const node = nodes[number]!
    const { parent, code } = parents[number]!
    node.fail = parent === 0 ? 0 : step(nodes[parent]!.fail, code)
    node.shorter = { loose: longest('loose', node.fail), whole: longest('whole', node.fail) }
  }
  return {
    step,
    longest,
    depth: (node) => nodes[node]!.depth,
    shorter: (kind, node) => nodes[node]!.shorter[kind],
    phraseAt: (kind, node) => nodes[node]!.phrase[kind],
  }
}

/**
 * All nodes except the start, by depth, so that nodes of shorter suffixes are finished before nodes of longer prefixes.
 */
function byDepth(nodes: readonly Node[]): number[] {
  const levels: number[][] = []
  nodes.forEach(({ depth }, number) => {
    if (depth === 0) return
    levels[depth] ??= []
    levels[depth].push(number)
  })
  return levels.flat()
}
