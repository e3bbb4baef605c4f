// Searches the titles, headings, and error codes of the documentation. Without scripts, the field stays hidden.
;(() => {
  const form = document.querySelector('form.search')
  const [field, status, list] = ['input', 'output', 'ul'].map((name) => form.querySelector(name))
  const most = 20
  let index

  const load = () => (index ??= fetch('/docs/search.json').then((response) => response.json()))

  function show(found) {
    status.value = `${found.length} results`
    list.replaceChildren(
      ...found.slice(0, most).map(({ title, url, page }) => {
        const link = Object.assign(document.createElement('a'), { href: url, textContent: title })
        if (page) link.append(Object.assign(document.createElement('span'), { textContent: page }))
        const item = document.createElement('li')
        item.append(link)
        return item
      }),
    )
    if (found.length === 0)
      list.append(
        Object.assign(document.createElement('li'), { className: 'none', textContent: 'Nothing found' }),
      )
  }

  function clear() {
    status.value = ''
    list.replaceChildren()
  }

  async function search() {
    const words = field.value
      .toLowerCase()
      .split(/[\s_]+/)
      .filter(Boolean)
    const places = await load().catch(() => [])
    const hasAll = (text) =>
      words.every((word) => ` ${text.toLowerCase().replaceAll('_', ' ')}`.includes(` ${word}`))
    const own = places.filter(({ title }) => hasAll(title))
    const others = places.filter(
      (place) => !own.includes(place) && hasAll(`${place.title} ${place.page ?? ''}`),
    )
    if (words.length === 0) clear()
    else show([...own, ...others])
  }

  field.addEventListener('input', search)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    list.querySelector('a')?.click()
  })
  form.addEventListener('keydown', (event) => {
    const links = [field, ...list.querySelectorAll('a')]
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      links[links.indexOf(document.activeElement) + step]?.focus()
    } else if (event.key === 'Escape') {
      field.value = ''
      clear()
      field.focus()
    }
  })
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget)) clear()
  })
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.matches('input, textarea, select')) return
    event.preventDefault()
    field.focus()
  })
  form.hidden = false
})()
