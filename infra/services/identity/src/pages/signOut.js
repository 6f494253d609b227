// The site has asked for this sign-out: nobody has to press the button as well.
window.document.getElementById('sign-out')?.requestSubmit();
