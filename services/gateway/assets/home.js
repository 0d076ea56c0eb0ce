// Adds new posts to an open page below /home, and counts the characters of a draft. The pages work without it.
;(() => {
  const INTERVAL_MS = 10_000
  const LONGEST_MS = 120_000

  const text = document.getElementById('status')
  const left = document.querySelector('[data-left]')
  if (text && left) {
    // The server counts grapheme clusters, and each URL as 23 characters.
    const segmenter = new Intl.Segmenter()
    const count = () => {
      const counted = text.value.replace(/https?:\/\/\S+/g, 'x'.repeat(23))
      left.textContent = String(Number(text.dataset.most) - [...segmenter.segment(counted)].length)
    }
    text.addEventListener('input', count)
    count()
  }

  const posts = document.querySelector('#posts[data-live]')
  if (!posts) return
  const { live, order, added } = posts.dataset
  let { newest } = posts.dataset
  let wait = INTERVAL_MS
  let timer = 0

  const announce = document.createElement('p')
  announce.className = 'visually-hidden'
  announce.setAttribute('role', 'status')
  posts.before(announce)

  const show = (html) => {
    const parsed = new DOMParser().parseFromString(html, 'text/html')
    const fresh = [...parsed.querySelectorAll('article')].filter((one) => !document.getElementById(one.id))
    for (const one of fresh) one.classList.add('fresh')
    if (order === 'oldest-first') posts.append(...fresh)
    else posts.prepend(...fresh)
    if (fresh.length === 0) return
    announce.textContent = added
    document.querySelector('[data-empty]')?.remove()
  }
  const showUnread = (unread) => {
    const badge = document.querySelector('[data-unread]')
    if (!badge) return
    badge.hidden = unread === 0
    badge.firstElementChild.textContent = String(unread)
  }
  const later = (ms) => {
    clearTimeout(timer)
    timer = setTimeout(look, ms)
  }
  const look = async () => {
    if (document.hidden) return
    try {
      const response = await fetch(`${live}?since=${newest}`, { headers: { accept: 'application/json' } })
      // The session ended or the post was deleted, so polling stops.
      if ([401, 403, 404].includes(response.status)) return
      if (!response.ok) {
        wait = Math.max(Math.min(wait * 2, LONGEST_MS), 1_000 * Number(response.headers.get('retry-after') || 0))
        return later(wait)
      }
      const answer = await response.json()
      show(answer.html)
      showUnread(answer.unread)
      newest = answer.newest
      wait = INTERVAL_MS
    } catch {
      wait = Math.min(wait * 2, LONGEST_MS)
    }
    later(wait)
  }
  document.addEventListener('visibilitychange', () => later(0))
  later(INTERVAL_MS)
})()
