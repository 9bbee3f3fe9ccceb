// Sorts a table by the column whose head is pressed; listens on what stays when the tables are drawn anew.
const order = (cell) => {
  const value = cell ? cell.dataset.value : "";
  return value === "" || Number.isNaN(Number(value)) ? value : Number(value);
};
const sort = (button) => {
  const head = button.closest("th"), table = head.closest("table"), place = [...head.parentNode.children].indexOf(head);
  const words = ["name", "evidence", "rank"].includes(button.dataset.key);
  const before = head.getAttribute("aria-sort");
  const up = before === "none" ? words : before === "descending";
  for (const other of head.parentNode.children) other.setAttribute("aria-sort", "none");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row, index) => ({ row, index, value: order(row.cells[place]) }));
  rows.sort((a, b) => {
    if ((a.value === "") !== (b.value === "")) return a.value === "" ? 1 : -1;
    const compared = typeof a.value === "number" && typeof b.value === "number"
      ? a.value - b.value : String(a.value).localeCompare(String(b.value));
    return (up ? compared : -compared) || a.index - b.index;
  });
  body.append(...rows.map((each) => each.row));
};
element.addEventListener("click", (event) => {
  const button = event.target.closest("thead button[data-key]");
  if (button) sort(button);
});
