// The shop requested this sign-out, so it needs no confirmation.
window.document.getElementById('sign-out')?.requestSubmit();
