import 'react';
import 'react-dom';
import 'react-dom/client';
import 'react-redux';
import 'react/jsx-runtime';
