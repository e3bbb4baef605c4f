// Shows new leads while the page is open. Without JavaScript they appear on reload.
const list = document.getElementById('arrivals')
if (list !== null) {
  new EventSource('/arrivals').addEventListener('message', ({ data }) => {
    const item = document.createElement('li')
    item.textContent = JSON.parse(data)
    list.prepend(item)
  })
}
