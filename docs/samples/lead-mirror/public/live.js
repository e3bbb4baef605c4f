// New leads show up while the page is open. Without this they do when it is loaded anew.
const list = document.getElementById('arrivals')
if (list !== null) {
  new EventSource('/arrivals').addEventListener('message', ({ data }) => {
    const item = document.createElement('li')
    item.textContent = JSON.parse(data)
    list.prepend(item)
  })
}
