/** What a form would send: its successful controls in order. */
export function formFields(form: HTMLFormElement): [name: string, value: string][] {
  return [...form.elements].flatMap((control): [string, string][] => {
    if (!(control instanceof HTMLInputElement || control instanceof HTMLSelectElement)) return [];
    const isOff =
      control instanceof HTMLInputElement && /checkbox|radio/.test(control.type) && !control.checked;
    return isOff || !control.name || control.matches(':disabled') ? [] : [[control.name, control.value]];
  });
}
