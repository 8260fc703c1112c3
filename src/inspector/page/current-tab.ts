// Brings the tab of the view that is shown into sight, where the tabs are wider than the page.

/** Scrolls the tabs sideways, and nothing else. */
export function showCurrentTab(): void {
  const tab = document.querySelector<HTMLElement>('nav a[aria-current]')
  const tabs = tab?.closest('nav')
  if (!tab || !tabs || tabs.scrollWidth <= tabs.clientWidth) return
  const { left, width } = tab.getBoundingClientRect()
  const frame = tabs.getBoundingClientRect()
  tabs.scrollLeft += left + width / 2 - (frame.left + frame.width / 2)
}
